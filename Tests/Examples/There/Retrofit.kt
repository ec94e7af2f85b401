import okhttp3.MultipartBody
import okhttp3.RequestBody
import retrofit2.http.GET
import retrofit2.http.Headers
import retrofit2.http.Multipart
import retrofit2.http.PUT
import retrofit2.http.Part
import retrofit2.http.Path
import retrofit2.http.Query
import retrofit2.http.QueryMap

data class Member(val id: Int)

interface Service {
    @Headers("Cache-Control: max-age=640000")
    @GET("group/{id}/users")
    suspend fun groupMembers(
        @Path("id") group: Int, @Query("sort") sort: String?, @QueryMap options: Map<String, String>
    ): List<Member>

    @Multipart
    @PUT("user/photo")
    suspend fun updateProfile(
        @Part photo: MultipartBody.Part, @Part("description") description: RequestBody
    ): Member
}
