'use client';

import { buttonClass } from '@/components/ui/button';
import { Wordmark } from '@/components/ui/wordmark';

// The server chooses the language, but the server has failed or cannot be reached. So both languages are shown.
const FAILED = [
  { lang: 'sw', title: 'Kuna hitilafu upande wetu', text: 'Tafadhali jaribu tena baada ya muda mfupi.', again: 'Jaribu tena' },
  { lang: 'en', title: 'Something went wrong on our side', text: 'Please try again in a moment.', again: 'Try again' },
] as const;
const NOT_LOADED = [
  { lang: 'sw', title: 'Ukurasa haujafika wote', text: 'Angalia intaneti yako, kisha ufungue ukurasa tena.', again: 'Fungua ukurasa tena' },
  { lang: 'en', title: 'The page did not load completely', text: 'Check your internet, then reload this page.', again: 'Reload this page' },
] as const;
const VERIFY = [
  { lang: 'sw', text: 'Hakiki risiti' },
  { lang: 'en', text: 'Check a receipt' },
] as const;

export function ErrorPage({ error, retry }: { readonly error: Error & { readonly digest?: string }; readonly retry: () => void }) {
  // Errors on the server have a digest. An error without a digest can mean that a script failed to load. The browser remembers such a
  // failure, so `retry` would fail again. Therefore the button loads the whole page again.
  const notLoaded = error.digest === undefined && (error.name === 'ChunkLoadError' || /fetch|load/i.test(error.message));
  return (
    // The header and the footer are those of the public pages (PlainPage), without the parts that need data of the server.
    <div className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-4 sm:py-12">
      <header className="mb-4">
        <a href="/" className="inline-flex min-h-11 items-center rounded-md">
          <Wordmark />
        </a>
      </header>
      <main className="grid gap-4">
        {(notLoaded ? NOT_LOADED : FAILED).map(({ lang, title, text, again }) => (
          <section key={lang} lang={lang} className="grid gap-3 rounded-xl border border-line bg-surface p-5">
            <h1 className="text-title">{title}</h1>
            <p>{text}</p>
            <button type="button" onClick={notLoaded ? () => window.location.reload() : retry} className={buttonClass('plain')}>
              {again}
            </button>
          </section>
        ))}
      </main>
      <footer className="mt-4 flex flex-wrap gap-4 text-small text-muted">
        {VERIFY.map(({ lang, text }) => (
          <a key={lang} lang={lang} href={`/verify?lang=${lang}`} className="py-1 text-brand underline underline-offset-2">
            {text}
          </a>
        ))}
      </footer>
    </div>
  );
}
