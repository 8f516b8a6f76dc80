/**
 * Headers by which a guard in front of a receiver says that it answered itself and wants to see a browser:
 * Cloudflare (developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response),
 * AWS WAF (docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html), Vercel's firewall, SiteGround.
 */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  'cf-mitigated': ['challenge'],
  'x-amzn-waf-action': ['challenge', 'captcha'],
  'x-vercel-mitigated': ['challenge'],
  'sg-captcha': ['challenge'],
};

/** @param headers of an answer, by lower-case names. @returns whether a guard against bots answered in the receiver's place. */
export function isChallenge(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(MARKS).some(([name, values]) => values.includes(headers[name]?.trim().toLowerCase() ?? ''));
}
