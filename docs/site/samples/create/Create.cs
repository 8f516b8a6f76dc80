using System.Net.Http.Json;
using System.Text.Json;

string Env(string name) => Environment.GetEnvironmentVariable(name) ?? throw new Exception($"{name} is not set");

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
using var request = new HttpRequestMessage(HttpMethod.Post, $"{Env("BILI_URL")}/api/v3/bills/create")
{
    Content = JsonContent.Create(new { amount = 5000, reference = "ORDER-1", mobile = "0712345001" }),
};
request.Headers.TryAddWithoutValidation("Authorization", $"ApiKey {Env("BILI_KEY_ID")}:{Env("BILI_SECRET")}");
request.Headers.Add("Idempotency-Key", "ORDER-1");
using var answer = await client.SendAsync(request);
var text = await answer.Content.ReadAsStringAsync();
if (!answer.IsSuccessStatusCode) throw new Exception(text);
var bill = JsonDocument.Parse(text).RootElement;
Console.WriteLine($"{bill.GetProperty("id")} {bill.GetProperty("webPayUrl")}");
