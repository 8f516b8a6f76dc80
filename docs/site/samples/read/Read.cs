using System.Text.Json;

string Env(string name) => Environment.GetEnvironmentVariable(name) ?? throw new Exception($"{name} is not set");

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.TryAddWithoutValidation("Authorization", $"ApiKey {Env("BILI_KEY_ID")}:{Env("BILI_SECRET")}");
using var answer = await client.GetAsync($"{Env("BILI_URL")}/api/v3/bills/{Env("BILL_ID")}");
var text = await answer.Content.ReadAsStringAsync();
if (!answer.IsSuccessStatusCode) throw new Exception(text);
var bill = JsonDocument.Parse(text).RootElement;
Console.WriteLine($"{bill.GetProperty("status")} {bill.GetProperty("paidAmount")} of {bill.GetProperty("amount")}");
