import { settingsSchema } from './settings';

interface Description {
  /** The meaning of the setting, in Markdown. */
  readonly text: string;
  /** A description of the default. Absent if the documentation shows the default of the schema. */
  readonly absent?: string;
  /** The setting is for tests and measurements only, and `.env.example` does not contain it. */
  readonly internal?: true;
}

/** The meaning of each setting, in the order of the documentation. docs/operating.md and .env.example are generated from it. */
const DESCRIPTIONS: Readonly<Record<keyof typeof settingsSchema.shape, Description>> = {
  PORT: { text: 'Port of the live environment and the dashboard.' },
  SANDBOX_PORT: { text: 'Port of the sandbox.' },
  HOST: {
    absent: '`127.0.0.1`, or all addresses',
    text: 'Address to listen on. The default is all addresses as soon as one of the two base addresses is not on this machine.',
  },
  METRICS_PORT: {
    absent: 'off',
    text: 'Port on which `web` serves `/metrics` of all its processes for Prometheus, `/healthz` and `/readyz`.',
  },
  WORKER_METRICS_PORT: {
    absent: 'off',
    text: 'The same for a worker. With it, the worker also checks all sums of the ledger every hour. Several workers on one machine need a port each.',
  },
  METRICS_HOST: {
    text: 'Address on which both serve their metrics. There is no authentication: use an address that only Prometheus can reach, and never the public internet.',
  },
  LIVE_BASE_URL: { absent: '`http://localhost:{PORT}`', text: 'Public address of the live environment.' },
  SANDBOX_BASE_URL: {
    absent: '`http://localhost:{SANDBOX_PORT}`',
    text: 'Public address of the sandbox. As soon as one of the two base addresses is set, requests for any other host get 421.',
  },
  TRUSTED_PROXIES: {
    text: 'Addresses or networks of proxies whose `X-Forwarded-For` header is trusted, separated by commas. Set it whenever a proxy is in front. Without it, all visitors share the address of the proxy and its limits.',
  },
  HSTS: {
    text: 'Which hosts browsers open with https only, for a year (`Strict-Transport-Security`): `host`, the hosts of the two base addresses, or `subdomains`, their subdomains too. It applies as soon as both base addresses use https. Use `subdomains` if every subdomain of both hosts has https: OWASP ASVS 5.0 (3.4.1) requires it at level 2. Browsers do not forget it for a year, so do not use it if a base address is your main domain, for example `https://example.com`, and some subdomain has no https.',
  },
  DATABASE_URL: {
    absent: 'embedded',
    text: 'PostgreSQL 14 or later. If it is set, there is no embedded database and no demo merchant. It may name several hosts: `postgresql://bili:…@db1:5432,db2:5432/bili?target_session_attrs=read-write`.',
  },
  MIGRATE_DATABASE_URL: {
    absent: '`DATABASE_URL`',
    text: 'The same database for `migrate` alone, with the role that owns the tables. It gives the role of `DATABASE_URL` the rights that web and worker need.',
  },
  POSTGRES_TOOLS: {
    absent: 'those in `PATH`',
    text: 'Folder of `pg_dump` and `pg_restore`, for `bili backup` and `bili restore` with an external database. They must be of the major version of the server or later.',
  },
  DATABASE_POOL_SIZE: {
    text: 'Database connections of `web` and of `worker`. If `web` runs in several processes, they share them, and each has at least 4.',
  },
  WEB_PROCESSES: {
    text: 'Processes of `web`. 0: one for each processor, or for every second one with the embedded database. SIGUSR2 to `web` replaces them one after the other, without losing a request, if there is more than one.',
  },
  SECRET_KEY: {
    absent: 'created and stored in `DATA_DIR`',
    text: 'The master key: 32 random bytes in base64. It encrypts all secrets in the database, also the keys of receipts, callback addresses and the audit log. Required if `DATABASE_URL` is set. Keep it safe: Bili refuses a database that was written with a different key. [Replace the master key](#replace-the-master-key) says how to change it.',
  },
  SECRET_KEY_OTHER: {
    absent: 'none',
    text: 'A second master key, which only decrypts: the next or the previous one, while the master key is replaced.',
  },
  DATA_DIR: { absent: '`.data`', text: 'Folder of the embedded database, the secrets and the demo credentials.' },
  RATE_LIMIT_LIVE_WRITES: {
    text: "Write requests (POST) per second of one live API key, over all processes. A key may send five seconds' worth at once.",
  },
  RATE_LIMIT_LIVE_READS: { text: 'Read requests (GET) per second of one live API key.' },
  RATE_LIMIT_SANDBOX_WRITES: { text: 'Write requests per second of one sandbox API key.' },
  RATE_LIMIT_SANDBOX_READS: { text: 'Read requests per second of one sandbox API key.' },
  RATE_LIMIT_FAILURES: {
    text: 'Failed authentications per second from one address (IPv6: from one /64). Further ones get 429.',
  },
  RATE_LIMIT_PAGES: {
    text: 'Pages per second that one address may open. Thousands of phones can share one address.',
  },
  MAX_BILL_AMOUNT: { text: 'Largest amount of a bill, in shillings.' },
  WEBHOOK_LOG_DAYS: { text: 'Days that the log of delivery attempts is kept.' },
  KEEP_CUSTOMERS_DAYS: {
    text: 'Days after which workers forget customers: the numbers, names and e-mail addresses of bills, payment requests and payments, and the texts about them. Amounts, times and states stay. At least 30. Set more if a law makes you keep the identity of customers longer.',
  },
  KEEP_MESSAGES_DAYS: {
    text: 'Days after which workers empty messages of providers and remove numbers from stored webhooks. At least 30. The messages are the evidence in a dispute with a provider.',
  },
  KEEP_DEVICES_DAYS: {
    text: 'Days after which workers delete ended sessions, closed invitations and test phones, and the browsers of removed devices of cashiers. At least 30.',
  },
  WEBHOOK_ALLOWED_NETWORKS: {
    text: 'Networks or addresses outside the public internet that webhooks may go to, separated by commas. Any port is allowed there, with or without TLS. For private deployments.',
  },
  SIGN_UP: {
    text: 'Who may open an account. `invitation`: only invited people. `open`: anybody (needs `SMTP_URL`); a new account gets the sandbox at once, and live when the operator activates it.',
  },
  REQUIRE_SECOND_FACTOR: {
    text: 'The merchants whose members need a second factor to change anything. `live`: of merchants that are active in live. `all`: of all merchants. `off`: of none, unless a merchant requires it in its own settings.',
  },
  SESSION_IDLE_MINUTES: {
    text: "Minutes without use after which a dashboard session ends, 15 to 10080. An open page that refreshes itself does not count as use. Every session ends after 7 days. With the default, a shop's phone that is used every day stays signed in. PCI DSS requires 15.",
  },
  OPERATOR_NAME: {
    text: 'Name of whoever runs this installation, as the home page and the footers of pages show it. One line of at most 60 characters.',
  },
  OPERATOR_LOGO: {
    text: 'File of a picture (PNG, JPEG, WebP or GIF) that the home page shows beside the name. It is read when a web process first shows the page.',
  },
  OPERATOR_CONTACT: {
    text: 'How customers and merchants reach the operator, as public pages show it: a phone number, an e-mail address or a text of at most 100 characters. Without it, the page for blocking prompts tells customers to call the shop.',
  },
  DOCS_URL: {
    text: 'Address at which members can read the folder `docs`, as a code host shows it or as a copy of yours. The help of each page of the dashboard links to its section. Without it, only the pages about webhooks and API keys have a link: to `/docs`, which every installation serves.',
  },
  SMTP_URL: {
    text: 'Mail server: `smtp://` (port 587; STARTTLS is required unless the server is on this machine) or `smtps://` (port 465), with `user:password@` percent-encoded. Without it, no mail is stored or sent.',
  },
  MAIL_FROM: { text: 'Sender of mails, for example `Bili <bili@example.com>`. Required if `SMTP_URL` is set.' },
  OPERATOR_EMAIL: {
    text: 'E-mail address that gets a mail when a provider account stops answering or refuses its owner, another mail when this ends, and one when a merchant proposes a live webhook address. Needs `SMTP_URL`.',
  },
  PUSH_CONTACT: {
    absent: '`OPERATOR_EMAIL`, else `LIVE_BASE_URL`',
    text: "E-mail address that Bili gives to the browsers' push services, which write to it if something is wrong with the notifications of this installation.",
  },
  OPERATOR_WEBHOOK_URL: {
    text: 'http or https address that gets the news about provider accounts as JSON: `type` (`provider_account.down`, `.recovered`, `.refused` or `.accepted`), `account`, `since` and `error`. Repeated for a day until it answers 2xx. The request is not signed: put a secret into the address.',
  },
  SHUTDOWN_DELAY: {
    absent: '5; 0 with `npm start`',
    text: "Seconds from SIGTERM until a web process closes its ports. Meanwhile `/readyz` answers 503 and everything else works, so that a load balancer can take the process out. Use more than the interval of the load balancer's health checks.",
  },
  LOG_LEVEL: { text: '`debug`, `info`, `warn`, `error` or `silent`.' },
  LOG_FORMAT: { text: '`auto` (readable in a terminal, JSON lines elsewhere), `json` or `readable`.' },
  SANDBOX_DELAY_FACTOR: { text: 'Shortens every delay of the simulated provider, for tests: 0.001 to 1.' },
  FAILPOINT: {
    internal: true,
    text: 'For tests: the fail point at which the process kills itself, `name` or `name:count`. Only with `NODE_ENV=test`.',
  },
};

/**
 * Returns every setting with its meaning and its default: in Markdown (`absent`), and as a value of the environment variable (`value`),
 * which is empty if there is none.
 */
export function describeSettings() {
  const shape = new Map(Object.entries(settingsSchema.shape));
  return Object.entries(DESCRIPTIONS).map(([name, { text, absent, internal = false }]) => {
    const value = absent === undefined ? defaultText(shape.get(name)?.safeParse(undefined).data) : '';
    return { name, value, absent: absent ?? (value === '' ? 'none' : `\`${value}\``), text, internal };
  });
}

function defaultText(absent: unknown): string {
  return absent === undefined || Array.isArray(absent) ? '' : String(absent);
}
