'use client';

import { buttonClass } from '@/components/ui/button';

// The server chooses the language, but the server has failed or cannot be reached. So both languages are shown.
const FAILED = [
  { lang: 'sw', title: 'Kuna hitilafu upande wetu', text: 'Tafadhali jaribu tena baada ya muda mfupi.', again: 'Jaribu tena' },
  { lang: 'en', title: 'Something went wrong on our side', text: 'Please try again in a moment.', again: 'Try again' },
] as const;
const NOT_LOADED = [
  { lang: 'sw', title: 'Ukurasa haujafika wote', text: 'Angalia intaneti yako, kisha ufungue ukurasa tena.', again: 'Fungua tena' },
  { lang: 'en', title: 'The page did not arrive whole', text: 'Check your internet, then load the page again.', again: 'Load again' },
] as const;

export default function ErrorPage({ error, retry }: { readonly error: Error & { readonly digest?: string }; readonly retry: () => void }) {
  // An error on the server has a digest. When a script failed to load, the browser remembers the failure, so the whole page must be loaded
  // again.
  const notLoaded = error.digest === undefined && (error.name === 'ChunkLoadError' || /fetch|load/i.test(error.message));
  return (
    <main className="mx-auto grid max-w-md gap-4 px-4 py-10">
      {(notLoaded ? NOT_LOADED : FAILED).map(({ lang, title, text, again }) => (
        <section key={lang} lang={lang} className="grid gap-3 rounded-xl border border-line bg-surface p-5">
          <h1 className="text-xl font-bold">{title}</h1>
          <p>{text}</p>
          <button type="button" onClick={notLoaded ? () => window.location.reload() : retry} className={buttonClass('plain')}>
            {again}
          </button>
        </section>
      ))}
    </main>
  );
}
