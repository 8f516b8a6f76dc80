import { AIRTEL_CAPABILITIES } from './airtel/adapter';
import { AIRTEL_FIELDS } from './airtel/credentials';
import { AIRTEL_FACTS } from './airtel/facts';
import { AIRTEL_MATRIX } from './airtel/matrix';
import { AZAMPAY_CAPABILITIES } from './azampay/adapter';
import { AZAMPAY_FIELDS } from './azampay/credentials';
import { AZAMPAY_FACTS } from './azampay/facts';
import { AZAMPAY_MATRIX } from './azampay/matrix';
import { CLICKPESA_CAPABILITIES } from './clickpesa/adapter';
import { CLICKPESA_FIELDS } from './clickpesa/credentials';
import { CLICKPESA_FACTS } from './clickpesa/facts';
import { CLICKPESA_MATRIX } from './clickpesa/matrix';
import { MIXX_CAPABILITIES } from './mixx/adapter';
import { MIXX_FIELDS } from './mixx/credentials';
import { MIXX_FACTS } from './mixx/facts';
import { MIXX_MATRIX } from './mixx/matrix';
import { MPESA_CAPABILITIES } from './mpesa/adapter';
import { MPESA_FIELDS } from './mpesa/credentials';
import { MPESA_FACTS } from './mpesa/facts';
import { MPESA_ASYNC_MATRIX, MPESA_SYNC_MATRIX } from './mpesa/matrix';
import { PAWAPAY_CAPABILITIES } from './pawapay/adapter';
import { PAWAPAY_FIELDS } from './pawapay/credentials';
import { PAWAPAY_FACTS } from './pawapay/facts';
import { PAWAPAY_MATRIX } from './pawapay/matrix';
import type { ProviderFacts } from './port/facts';
import type { Capabilities, CredentialField } from './port/port';
import { SELCOM_CAPABILITIES } from './selcom/adapter';
import { SELCOM_FIELDS } from './selcom/credentials';
import { SELCOM_FACTS } from './selcom/facts';
import { SELCOM_MATRIX } from './selcom/matrix';
import type { Matrix } from './simulation/scenarios';
import { SNIPPE_CAPABILITIES } from './snippe/adapter';
import { SNIPPE_FIELDS } from './snippe/credentials';
import { SNIPPE_FACTS } from './snippe/facts';
import { SNIPPE_MATRIX } from './snippe/matrix';

/** The parts of the documentation page of a provider. */
export interface DescribedProvider {
  readonly facts: ProviderFacts;
  readonly fields: readonly CredentialField[];
  readonly capabilities: Capabilities;
  /**
   * What the adapter reports in each scenario, one table for each mode of the provider's API. Most providers have a single mode, and its
   * name is ''.
   */
  readonly scenarios: Readonly<Record<string, Matrix>>;
}

/** The providers whose pages `npm run docs` writes. */
export const DESCRIBED_PROVIDERS: readonly DescribedProvider[] = [
  {
    facts: MPESA_FACTS,
    fields: MPESA_FIELDS,
    capabilities: MPESA_CAPABILITIES,
    scenarios: { asynchronous: MPESA_ASYNC_MATRIX, synchronous: MPESA_SYNC_MATRIX },
  },
  { facts: SNIPPE_FACTS, fields: SNIPPE_FIELDS, capabilities: SNIPPE_CAPABILITIES, scenarios: { '': SNIPPE_MATRIX } },
  { facts: CLICKPESA_FACTS, fields: CLICKPESA_FIELDS, capabilities: CLICKPESA_CAPABILITIES, scenarios: { '': CLICKPESA_MATRIX } },
  { facts: MIXX_FACTS, fields: MIXX_FIELDS, capabilities: MIXX_CAPABILITIES, scenarios: { '': MIXX_MATRIX } },
  { facts: PAWAPAY_FACTS, fields: PAWAPAY_FIELDS, capabilities: PAWAPAY_CAPABILITIES, scenarios: { '': PAWAPAY_MATRIX } },
  { facts: AZAMPAY_FACTS, fields: AZAMPAY_FIELDS, capabilities: AZAMPAY_CAPABILITIES, scenarios: { '': AZAMPAY_MATRIX } },
  { facts: AIRTEL_FACTS, fields: AIRTEL_FIELDS, capabilities: AIRTEL_CAPABILITIES, scenarios: { '': AIRTEL_MATRIX } },
  { facts: SELCOM_FACTS, fields: SELCOM_FIELDS, capabilities: SELCOM_CAPABILITIES, scenarios: { '': SELCOM_MATRIX } },
];
