import { AIRTEL_CAPABILITIES } from './airtel/adapter';
import { AIRTEL_FIELDS } from './airtel/credentials';
import { AIRTEL_FACTS } from './airtel/facts';
import { AZAMPAY_CAPABILITIES } from './azampay/adapter';
import { AZAMPAY_FIELDS } from './azampay/credentials';
import { AZAMPAY_FACTS } from './azampay/facts';
import { CLICKPESA_CAPABILITIES } from './clickpesa/adapter';
import { CLICKPESA_FIELDS } from './clickpesa/credentials';
import { CLICKPESA_FACTS } from './clickpesa/facts';
import { MIXX_CAPABILITIES } from './mixx/adapter';
import { MIXX_FIELDS } from './mixx/credentials';
import { MIXX_FACTS } from './mixx/facts';
import { PAWAPAY_CAPABILITIES } from './pawapay/adapter';
import { PAWAPAY_FIELDS } from './pawapay/credentials';
import { PAWAPAY_FACTS } from './pawapay/facts';
import type { ProviderFacts } from './port/facts';
import type { Capabilities, CredentialField } from './port/port';
import { SELCOM_CAPABILITIES } from './selcom/adapter';
import { SELCOM_FIELDS } from './selcom/credentials';
import { SELCOM_FACTS } from './selcom/facts';
import { SNIPPE_CAPABILITIES } from './snippe/adapter';
import { SNIPPE_FIELDS } from './snippe/credentials';
import { SNIPPE_FACTS } from './snippe/facts';

/** What the page of a provider in the documentation is made of. */
export interface DescribedProvider {
  readonly facts: ProviderFacts;
  readonly fields: readonly CredentialField[];
  readonly capabilities: Capabilities;
}

/** The providers whose pages `npm run docs` writes. */
export const DESCRIBED_PROVIDERS: readonly DescribedProvider[] = [
  { facts: SNIPPE_FACTS, fields: SNIPPE_FIELDS, capabilities: SNIPPE_CAPABILITIES },
  { facts: CLICKPESA_FACTS, fields: CLICKPESA_FIELDS, capabilities: CLICKPESA_CAPABILITIES },
  { facts: MIXX_FACTS, fields: MIXX_FIELDS, capabilities: MIXX_CAPABILITIES },
  { facts: PAWAPAY_FACTS, fields: PAWAPAY_FIELDS, capabilities: PAWAPAY_CAPABILITIES },
  { facts: AZAMPAY_FACTS, fields: AZAMPAY_FIELDS, capabilities: AZAMPAY_CAPABILITIES },
  { facts: AIRTEL_FACTS, fields: AIRTEL_FIELDS, capabilities: AIRTEL_CAPABILITIES },
  { facts: SELCOM_FACTS, fields: SELCOM_FIELDS, capabilities: SELCOM_CAPABILITIES },
];
