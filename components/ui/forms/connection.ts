/** The route that tells whether the session is valid. The request changes nothing and its answer has no body. */
const SESSION_CHECK = '/account/session';

const CHECK_MS = 15_000;
const SIGNED_OUT = 401;
const ENDED = 'bili:session-ended';

/** `lost`: there was no answer. */
type Connection = 'open' | 'signed_out' | 'lost';

/** Checks the connection before a form is sent. If a form is sent without a connection, nobody can tell whether it arrived. */
export async function checkConnection(): Promise<Connection> {
  try {
    const answer = await fetch(SESSION_CHECK, { cache: 'no-store', signal: AbortSignal.timeout(CHECK_MS) });
    return answer.status === SIGNED_OUT ? 'signed_out' : 'open';
  } catch {
    return 'lost';
  }
}

/** Shows the notice that the session has ended. `asked` is true if the member has just tried to do something. */
export function announceSessionEnd({ asked }: { readonly asked: boolean }): void {
  window.dispatchEvent(new CustomEvent(ENDED, { detail: asked }));
}

/** Calls `listener` when the session ends. Returns a function that stops listening. */
export function onSessionEnd(listener: (asked: boolean) => void): () => void {
  const listen = (event: Event) => listener(event instanceof CustomEvent && event.detail === true);
  window.addEventListener(ENDED, listen);
  return () => window.removeEventListener(ENDED, listen);
}
