import com.google.gson.Gson
import kotlinx.coroutines.runBlocking
import okhttp3.*
import okio.Buffer
import retrofit2.Retrofit
import retrofit2.converter.gson.GsonConverterFactory

val answers = mutableListOf("""[{"id": 7}]""", """{"id": 8}""")

/** Prints each request instead of sending it, and answers it. */
fun record(chain: Interceptor.Chain): Response {
    val request = chain.request()
    val body = Buffer()
    request.body()?.writeTo(body)
    val headers = request.headers().names().associateWith { request.header(it) }.toMutableMap()
    request.body()?.contentType()?.let { headers["Content-Type"] = it.toString() }
    val line = mapOf(
        "method" to request.method(), "url" to request.url().toString(), "headers" to headers,
        "body" to body.readUtf8())
    println("request " + Gson().toJson(line))
    val json = ResponseBody.create(MediaType.get("application/json"), answers.removeAt(0))
    return Response.Builder().request(request).protocol(Protocol.HTTP_1_1).code(200).message("OK").body(json).build()
}

fun main() = runBlocking {
    val client = OkHttpClient.Builder().addInterceptor { record(it) }.build()
    val service = Retrofit.Builder().client(client).baseUrl("https://api.example.com/v1/")
        .addConverterFactory(GsonConverterFactory.create()).build().create(Service::class.java)
    println("got " + service.groupMembers(7, "desc", mapOf("page" to "2"))[0].id)
    val photo = MultipartBody.Part.createFormData(
        "photo", "me.png", RequestBody.create(MediaType.get("image/png"), "png"))
    println("got " + service.updateProfile(photo, RequestBody.create(null, "me")).id)
}
