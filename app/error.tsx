'use client';

import { buttonClass } from '@/components/ui/button';

// The language is the server's to choose, and the server has just failed: both are said.
const TEXTS = [
  { lang: 'sw', title: 'Kuna hitilafu upande wetu', text: 'Tafadhali jaribu tena baada ya muda mfupi.', again: 'Jaribu tena' },
  { lang: 'en', title: 'Something went wrong on our side', text: 'Please try again in a moment.', again: 'Try again' },
] as const;

export default function ErrorPage({ retry }: { readonly retry: () => void }) {
  return (
    <main className="mx-auto grid max-w-md gap-4 px-4 py-10">
      {TEXTS.map(({ lang, title, text, again }) => (
        <section key={lang} lang={lang} className="grid gap-3 rounded-xl border border-line bg-surface p-5">
          <h1 className="text-xl font-bold">{title}</h1>
          <p>{text}</p>
          <button type="button" onClick={retry} className={buttonClass('plain')}>
            {again}
          </button>
        </section>
      ))}
    </main>
  );
}
