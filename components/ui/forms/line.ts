/** Where a page asks whether the server can be reached and the session still lives. It changes nothing and answers without a body. */
const SESSION_CHECK = '/account/session';

const CHECK_MS = 15_000;
const SIGNED_OUT = 401;
const ENDED = 'bili:session-ended';

/** `lost`: no answer came, so nothing reached the server. */
type Line = 'open' | 'signed_out' | 'lost';

/** Asks before anything is sent: what is sent on a lost line may have arrived or not, and nobody could say which. */
export async function checkLine(): Promise<Line> {
  try {
    const answer = await fetch(SESSION_CHECK, { cache: 'no-store', signal: AbortSignal.timeout(CHECK_MS) });
    return answer.status === SIGNED_OUT ? 'signed_out' : 'open';
  } catch {
    return 'lost';
  }
}

/** Has the page say that its session has ended. @param asked whether somebody just did something that needs it. */
export function announceSessionEnd({ asked }: { readonly asked: boolean }): void {
  window.dispatchEvent(new CustomEvent(ENDED, { detail: asked }));
}

/** @returns what stops listening. */
export function onSessionEnd(hear: (asked: boolean) => void): () => void {
  const listen = (event: Event) => hear(event instanceof CustomEvent && event.detail === true);
  window.addEventListener(ENDED, listen);
  return () => window.removeEventListener(ENDED, listen);
}
