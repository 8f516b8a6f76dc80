/**
 * Response headers by which a firewall in front of a receiver says that the response is a bot challenge:
 * Cloudflare (developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response),
 * AWS WAF (docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html), Vercel's firewall, SiteGround.
 */
const CHALLENGE_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'cf-mitigated': ['challenge'],
  'x-amzn-waf-action': ['challenge', 'captcha'],
  'x-vercel-mitigated': ['challenge'],
  'sg-captcha': ['challenge'],
};

/** Returns whether a firewall answered with a bot challenge instead of the receiver. @param headers with lower-case names. */
export function isChallenge(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(CHALLENGE_HEADERS).some(([name, values]) => values.includes(headers[name]?.trim().toLowerCase() ?? ''));
}
