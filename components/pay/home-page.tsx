import { shopMark } from '@/lib/identity/merchants/brand-rules';
import { OPERATED_NETWORKS } from '@/lib/platform/core/network';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { Contact } from './contact';
import { Icon } from './icon';
import { Wallet } from './pay-form';
import { PayShell } from './pay-shell';
import { ReceiptCodeForm } from './verify-page';

/** The style of the home page. Only this page inlines it. */
const HOME_STYLE = `
h2{font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;margin:2rem 0 .75rem}
.card h2{font-size:1.25rem}
h3{font-size:1.0625rem;line-height:1.3;margin:.75rem 0 0}
h3+p{margin-top:.125rem}
.top{background:#0a4d32;background:linear-gradient(155deg,#0e6b45,#073a27);color:#fff;border-radius:1.25rem;padding:1.75rem 1.25rem 0;overflow:hidden}
.top h1{display:block;font-size:2.25rem;font-size:min(2.25rem,11vw);line-height:1.1;letter-spacing:-.03em;text-wrap:balance}
.top p{font-size:1.0625rem;margin:.75rem 0 0;color:#dcefe4}
.top .go{display:flex;flex-wrap:wrap;margin:.75rem -.25rem 0}
.top .button{flex:1 1 9rem;width:auto;margin:.5rem .25rem 0;background:#fff;color:#0b5d3b;border-color:#fff}
.top .button+.button{background:none;color:#fff}
.shot{display:block;width:100%;max-width:19rem;margin:1.75rem auto 0;font-weight:600}
.s{fill:#f3f5f2}.w{fill:#fff}.t{fill:#14231c}.m{fill:#46584e;font-weight:400}.l{stroke:#d5ddd7}.k{fill:#0b5d3b}.y{fill:#fff}.d{fill:none;stroke:#fff;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
.nets{margin:1rem 0 0;text-align:center}
.nets span{display:inline-block;margin:.25rem}
.nets b{padding:0 .75rem;border-radius:1rem;font-size:.9375rem;line-height:2rem}
.steps{list-style:none;padding:0;margin:0}
.steps li{position:relative;padding:0 0 1rem 4rem}
.steps h3{margin:0}
.steps p{margin:0}
.steps svg{position:absolute;left:0;top:0;width:3rem;height:3rem;padding:.75rem;border-radius:1rem;background:#dcebe2;color:#0b5d3b}
.two .card{padding:1.25rem}
.two h3{border-top:1px solid #d5ddd7;margin:1.25rem 0 .5rem;padding-top:1rem}
.two .button{background:none;color:#74d3a4;border-color:#74d3a4;margin-top:1rem}
.dev{background:#0f1a15;border-color:#0f1a15;color:#dfe9e3}
.dev pre{margin:.75rem 0 0;padding:.75rem;border-radius:.5rem;background:#1b2a22;color:#8be0bd;font:.8125rem/1.6 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.oper{display:flex;align-items:center}
.oper img,.oper i{flex:none;margin-right:.75rem;border-radius:.375rem}
.oper i{width:2.75rem;border-radius:50%;background:#0b5d3b;color:#fff;font:700 1.25rem/2.75rem system-ui;text-align:center}
.oper p{margin:0;min-width:0}
@media(min-width:48rem){
.dev{display:flex;flex-direction:column}
.dev .button{margin-top:auto}
.wide header,.wide main,.wide footer{max-width:66rem}
.top{display:flex;align-items:flex-end;padding:0 3rem 0 3.5rem;border-radius:1.75rem}
.lead{flex:1;align-self:center;padding:3rem 2.5rem 3rem 0}
.top h1{font-size:3.25rem}
.top p{font-size:1.1875rem;max-width:30rem}
.top .button{flex:0 1 auto;padding:.8125rem 1.5rem}
.shot{flex:none;width:19rem;margin-top:2.5rem}
.nets{margin-top:1.5rem}
h2{font-size:1.75rem;margin-top:3rem}
.steps,.two{display:flex;margin:0 -.75rem}
.steps li{flex:1;padding:3.75rem .75rem 0}
.steps svg{left:.75rem}
.two{margin:3rem -.375rem 0}
.two .card{flex:1;min-width:0;margin:0 .375rem .75rem;padding:1.75rem}
}
@media screen and (prefers-color-scheme:dark){
.top{background:#0d3a28;background:linear-gradient(155deg,#11573a,#0a2a1d)}
.s{fill:#101613}.w{fill:#18211c}.t{fill:#e6ede8}.m{fill:#a5b5ab}.l{stroke:#3a4a41}.k{fill:#5fcf98}.y{fill:#0c1410}.d{stroke:#0c1410}
.steps svg{background:#173529;color:#5fcf98}
.dev{background:#0a100d}
.two h3{border-color:#3a4a41}
.oper i{background:#5fcf98;color:#0c1410}
}`;

/** What the page inlines in addition to the style and script that all public pages share. */
export const HOME_PARTS = { style: HOME_STYLE };

const STEPS = [
  { key: 'step1', icon: 'bill' },
  { key: 'step2', icon: 'phone' },
  { key: 'step3', icon: 'check' },
] as const;

/** In senti. */
const SAMPLE_AMOUNT = 1_250_000n;
const SAMPLE_REQUEST = 'POST /api/v3/bills/create\n{"amount": 12500, "reference": "INV-0142", "mobile": "0712345678"}';
const SAMPLE_ANSWER = '200 OK\n{"status": "NOT_PAID", "webPayUrl": "https://…/pay?bill=…", …}';

interface HomeDocumentProps {
  readonly operator: {
    readonly name: string | null;
    readonly contact: string | null;
    /** The operator's logo as a data URL, with its size in CSS pixels. */
    readonly logo: { readonly source: string; readonly width: number; readonly height: number } | null;
  };
  /** Whether anybody may open an account. */
  readonly open: boolean;
  readonly locale: Locale;
}

/** The home page for people who are not signed in: what Bili does, and links for customers, merchants and developers. It needs no JavaScript. */
export function HomeDocument({ operator, open, locale }: HomeDocumentProps) {
  const t = translator(locale, 'Home');
  return (
    <PayShell
      locale={locale}
      title={`${operator.name ?? 'Bili'} · ${t('title')}`}
      version="home"
      otherLanguage={`/?lang=${locale === 'sw' ? 'en' : 'sw'}`}
      {...HOME_PARTS}
      wide
    >
      <section className="top">
        <div className="lead">
          <h1>{t('heading')}</h1>
          <p>{t('intro')}</p>
          <div className="go">
            <a className="button" href="/sign-in">
              {t('signIn')}
            </a>
            {open && (
              <a className="button" href="/sign-up">
                {t('signUp')}
              </a>
            )}
          </div>
        </div>
        <PhoneDrawing locale={locale} />
      </section>
      <section className="nets">
        <p className="small">{t('wallets')}</p>
        {OPERATED_NETWORKS.map((network) => (
          <span key={network}>
            <Wallet network={network} />
          </span>
        ))}
      </section>
      <h2>{t('stepsTitle')}</h2>
      <ol className="steps">
        {STEPS.map(({ key, icon }) => (
          <li key={key}>
            <Icon name={icon} />
            <h3>{t(`${key}Title`)}</h3>
            <p>{t(`${key}Text`)}</p>
          </li>
        ))}
      </ol>
      <div className="two">
        <section className="card">
          <h2>{t('payerTitle')}</h2>
          <p>{t('payerText')}</p>
          <p className="small">{t('pin')}</p>
          <h3>{translator(locale, 'Verify')('title')}</h3>
          <ReceiptCodeForm locale={locale} />
        </section>
        <section className="card dev">
          <h2>{t('developersTitle')}</h2>
          <p>{t('developersText')}</p>
          <pre>{SAMPLE_REQUEST}</pre>
          <pre>{SAMPLE_ANSWER}</pre>
          <a className="button" href={locale === 'sw' ? '/docs/sw' : '/docs'}>
            {t('developers')}
          </a>
        </section>
      </div>
      <Operator {...{ operator, open, locale }} />
    </PayShell>
  );
}

/** Who operates the service, and how to reach them. */
function Operator({ operator: { name, contact, logo }, open, locale }: HomeDocumentProps) {
  const t = translator(locale, 'Home');
  if (name === null && contact === null && open) return null;
  return (
    <section className="card oper">
      {logo ? (
        // biome-ignore lint/performance/noImgElement: Next.js does not render this page, and the image is in the page itself.
        <img src={logo.source} alt="" width={logo.width} height={logo.height} />
      ) : (
        name !== null && <i aria-hidden="true">{shopMark(name, null).initial}</i>
      )}
      <div>
        {name !== null && <p>{t('operator', { operator: name })}</p>}
        {contact !== null && (
          <p>
            {t(open ? 'contact' : 'byInvitation')} <Contact contact={contact} />
          </p>
        )}
        {contact === null && !open && <p>{t('byInvitationOnly')}</p>}
      </div>
    </section>
  );
}

/** A drawn phone that shows a payment page, and the message that the money has come. */
function PhoneDrawing({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'Home');
  const amount = formatMoney(SAMPLE_AMOUNT);
  return (
    <svg className="shot" viewBox="0 0 280 336" role="img" aria-label={t('phoneAlt')} fontSize="11">
      <rect x="14" width="212" height="400" rx="34" fill="#06130d" />
      <rect className="s" x="21" y="7" width="198" height="390" rx="28" />
      <rect x="96" y="14" width="48" height="8" rx="4" fill="#06130d" />
      <circle cx="49" cy="50" r="15" fill="#b4511a" />
      <text x="49" y="55.5" textAnchor="middle" fontSize="15" fill="#fff">
        M
      </text>
      <text className="t" x="72" y="54" fontSize="13">
        {t('phoneShop')}
      </text>
      <rect className="w l" x="32" y="74" width="176" height="74" rx="10" />
      <text className="m" x="44" y="95">
        {t('phoneItem')}
      </text>
      <text className="t" x="44" y="125" fontSize="23" letterSpacing="-.4">
        {amount}
      </text>
      <text className="t" x="32" y="170">
        {t('phoneNumber')}
      </text>
      <rect className="w" x="32" y="178" width="176" height="34" rx="8" stroke="#6b7a71" />
      <text className="t" x="44" y="200" fontSize="14">
        0712 345 678
      </text>
      <circle cx="191" cy="195" r="5" fill="#e60000" />
      <rect className="k" x="32" y="222" width="176" height="38" rx="9" />
      <text className="y" x="120" y="246" textAnchor="middle" fontSize="14">
        {t('phonePay', { amount })}
      </text>
      <rect className="w l" x="104" y="272" width="172" height="50" rx="14" />
      <circle className="k" cx="130" cy="297" r="13" />
      <path className="d" d="M124 297l4.5 4.5 8-9" />
      <text className="t" x="152" y="294" fontSize="13">
        {amount}
      </text>
      <text className="m" x="152" y="309" fontSize="10">
        {t('phonePaid')}
      </text>
    </svg>
  );
}
