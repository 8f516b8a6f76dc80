'use client';

import { Contact } from '@/components/pay/contact';
import { buttonClass } from '@/components/ui/button';
import { Wordmark } from '@/components/ui/icon';
import { Illustration } from '@/components/ui/illustration';

// The server chooses the language, but the server has failed or cannot be reached. So both languages are shown.
const FAILED = [
  { lang: 'sw', title: 'Kuna hitilafu upande wetu', text: 'Tafadhali jaribu tena baada ya muda mfupi.', again: 'Jaribu tena' },
  { lang: 'en', title: 'Something went wrong on our side', text: 'Please try again in a moment.', again: 'Try again' },
] as const;
const NOT_LOADED = [
  { lang: 'sw', title: 'Ukurasa haujafika wote', text: 'Angalia intaneti yako, kisha ufungue ukurasa tena.', again: 'Fungua ukurasa tena' },
  { lang: 'en', title: 'The page did not load completely', text: 'Check your internet, then reload this page.', again: 'Reload this page' },
] as const;
const LINKS = [
  { lang: 'sw', signIn: 'Ingia', verify: 'Hakiki risiti', contact: 'Mawasiliano:' },
  { lang: 'en', signIn: 'Sign in', verify: 'Check a receipt', contact: 'Contact:' },
] as const;

export function ErrorPage({ error, retry }: { readonly error: Error & { readonly digest?: string }; readonly retry: () => void }) {
  // Errors on the server have a digest. An error without a digest can mean that a script failed to load. The browser remembers such a
  // failure, so `retry` would fail again. Therefore the button loads the whole page again.
  const notLoaded = error.digest === undefined && (error.name === 'ChunkLoadError' || /fetch|load/i.test(error.message));
  const contact = globalThis.document?.documentElement.dataset.contact;
  return (
    // The header and the footer are those of the public pages (PlainPage), without the parts that need data of the server.
    <div className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-4 sm:py-12">
      <header className="mb-4">
        <a href="/" className="inline-flex min-h-11 items-center rounded-md">
          <Wordmark />
        </a>
      </header>
      <main className="grid gap-5 rounded-xl border border-line bg-surface p-5">
        <Illustration name="error" className="mx-auto text-brand" />
        {(notLoaded ? NOT_LOADED : FAILED).map(({ lang, title, text, again }, index) => (
          <section key={lang} lang={lang} className={`grid gap-3 ${index > 0 ? 'border-t border-line pt-5' : ''}`}>
            <h1 className="text-title">{title}</h1>
            <p>{text}</p>
            <button
              type="button"
              onClick={notLoaded ? () => window.location.reload() : retry}
              className={buttonClass(index > 0 ? 'plain' : 'primary')}
            >
              {again}
            </button>
          </section>
        ))}
      </main>
      <footer className="mt-4 grid gap-1 text-small text-muted [&_a]:text-brand [&_a]:underline [&_a]:underline-offset-2">
        {LINKS.map(({ lang, signIn, verify, contact: label }) => (
          <p key={lang} lang={lang} className="flex flex-wrap gap-x-4">
            <a href="/sign-in" className="py-1">
              {signIn}
            </a>
            <a href={`/verify?lang=${lang}`} className="py-1">
              {verify}
            </a>
            {contact !== undefined && (
              <span className="py-1 wrap-anywhere">
                {label} <Contact contact={contact} />
              </span>
            )}
          </p>
        ))}
      </footer>
    </div>
  );
}
