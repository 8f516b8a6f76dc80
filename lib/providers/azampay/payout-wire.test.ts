import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { expect, test } from 'vitest';
import { answer, REFUND } from '@/testing/providers/samples';
import { checksumOf, type DisburseRequest, isChecksumOf, readPayoutAnswer, readPayoutStatus } from './payout-wire';
import { readNotice } from './wire';

const id = 'b42aea54e13d4f58bf4007782cb4521a';
const refund = { ...REFUND, providerReference: id };
const { reference, amount } = refund;
const unknown = { kind: 'unknown' };
const pending = { kind: 'pending' };
const failed = (reason: string) => ({ kind: 'failed', reason });

const party = { countryCode: 'TZ', fullName: 'A', bankName: 'Airtel', currency: 'TZS' } as const;
const REQUEST: DisburseRequest = {
  source: { ...party, accountNumber: '1000000164' },
  destination: { ...party, accountNumber: '255688123821' },
  transferDetails: { type: 'FUND', amount: 1_000, dateInEpoch: 1_786_225_810 },
  externalReferenceId: reference,
};

test('the checksum is the encrypted SHA-512 of accounts, currency, amount, time and reference, without separators', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const checksum = checksumOf(REQUEST, publicKey);
  const decrypted = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(checksum, 'base64'));
  const text = `1000000164255688123821TZS10001786225810${reference}`;
  expect(decrypted).toEqual(createHash('sha512').update(text).digest());
  expect(isChecksumOf(checksum, REQUEST, privateKey)).toBe(true);
  expect(isChecksumOf(checksum, { ...REQUEST, externalReferenceId: 'other' }, privateKey)).toBe(false);
  for (const wrong of [undefined, '', 'AAAA']) expect(isChecksumOf(wrong, REQUEST, privateKey)).toBe(false);
});

const taken = { pgReferenceId: id, message: 'Your transaction is in process', success: true, statusCode: 200 };
const refused = (status: number, message: string | null, more: object = {}) =>
  answer(status, { pgReferenceId: null, message, success: false, statusCode: status, ...more });

test.each([
  ['accepted', answer(200, taken), { kind: 'pending', providerReference: id }],
  ['accepted, with an id and success:false', answer(200, { ...taken, success: false }), { kind: 'pending', providerReference: id }],
  ['accepted without an id', answer(200, { ...taken, pgReferenceId: null }), unknown],
  ['accepted with the text "null" as id', answer(200, { ...taken, pgReferenceId: 'null' }), unknown],
  ['refused', refused(400, 'Insufficient balance'), failed('insufficient_funds')],
  ['refused with HTTP 200', refused(200, 'Invalid BankName.', { statusCode: 400 }), failed('rejected')],
  ['refused with HTTP 200 and no code', refused(200, 'Invalid BankName.', { statusCode: null }), unknown],
  ['refused with an id', refused(400, 'Insufficient balance', { pgReferenceId: id }), unknown],
  ['an invalid member', answer(400, { errors: { 'Destination.FullName': ['is required'] } }), failed('rejected')],
  ['400 without errors', answer(400, { errors: {} }), unknown],
  ['400 without a message', refused(400, null), unknown],
  ['400 of a gateway', answer(400, { message: 'Bad Request' }), unknown],
  ['a refusal that leaves the end open', refused(400, 'The request timed out'), unknown],
  ['a used reference', refused(403, 'Duplicate External Reference Id'), unknown],
  ['a used reference, as another document calls it', refused(400, 'Detected duplicate transaction'), unknown],
  ['a forbidden app', refused(403, 'Payouts are not enabled'), failed('merchant_config')],
  ['403 of a gateway', answer(403, { message: 'Forbidden' }), unknown],
  ['an old time', refused(402, 'Request expired'), failed('merchant_config')],
  ['a refused token', answer(401, { message: 'Please Provide Valid Authorization' }), failed('merchant_config')],
  ['401 of a gateway', answer(401, '<html>'), unknown],
  ['too many requests', refused(429, 'Too many requests'), unknown],
  ['an error of the server', refused(500, 'Insufficient balance'), unknown],
])('the answer to a payout: %s', (_name, received, outcome) => {
  expect(readPayoutAnswer(received)).toEqual(outcome);
});

const found = (more: object) => answer(200, { pgReferenceId: id, message: null, success: true, statusCode: 200, ...more });
const paid = { kind: 'refunded', transactionId: id, amount: null };

test.each([
  ['paid', found({ status: 'success' }), paid],
  ['paid, as a text', found({ data: 'Success' }), paid],
  ['paid, in an object', found({ data: { status: 'completed', pgReferenceId: id } }), paid],
  [
    'paid, with our reference and the amount',
    found({ status: 'success', initiatorReferenceId: reference, amount: '5000' }),
    { ...paid, amount },
  ],
  ['paid, with success:false', found({ status: 'success', success: false }), unknown],
  ['paid, with the code of an error', found({ status: 'success', statusCode: 500 }), unknown],
  ["another payout's", found({ status: 'success', pgReferenceId: 'other' }), unknown],
  ["another payout's, in an object", found({ data: { status: 'success', pgReferenceId: 'other' } }), unknown],
  ["another reference's", found({ status: 'success', initiatorReferenceId: 'other' }), unknown],
  ['paid with another amount', found({ status: 'success', amount: '4000' }), unknown],
  ['two states', found({ status: 'success', data: 'pending' }), unknown],
  ['only that the query worked, under the name status', found({ status: 'success', message: 'Your transaction is in process' }), unknown],
  ['in progress', found({ status: 'pending' }), pending],
  ['in progress, with success:false', found({ data: 'pending', success: false }), pending],
  ['only that the query worked', found({}), unknown],
  ['a word that is not known', found({ status: 'reversed' }), unknown],
  ['failed', found({ status: 'failure', message: 'Insufficient balance' }), failed('insufficient_funds')],
  ['failed, with success:false', found({ status: 'failure', success: false }), failed('rejected')],
  ['failed, without an id', answer(200, { data: 'failed', success: true }), failed('rejected')],
  ['failed, without an id and with success:false', answer(200, { data: 'failed', success: false }), unknown],
  ['a refused query', found({ status: 'Failure', success: false, statusCode: 400 }), unknown],
  ['failed without a cause', found({ status: 'failure' }), failed('rejected')],
  ['failed, because nothing was found', found({ status: 'failure', message: 'Transaction not found' }), unknown],
  ['failed, with the end left open', found({ status: 'failure', message: 'No response from the network' }), unknown],
  ['failed, with an error of the server', found({ status: 'failure', statusCode: 500 }), unknown],
  ['not found', answer(404, { success: false, message: 'Transaction not found', statusCode: 404 }), unknown],
  ['paid, with an error of HTTP', answer(502, { status: 'success', success: true }), unknown],
])('the status of a payout: %s', (_name, received, outcome) => {
  expect(readPayoutStatus(received, refund)).toEqual(outcome);
});

test('a status without an id to compare reports nothing', () => {
  expect(readPayoutStatus(found({ status: 'success' }), { ...refund, providerReference: null })).toEqual(unknown);
});

test('a callback about a payout names it, and claims no payment', () => {
  const notice = {
    initiatorReferenceId: reference,
    pgReferenceId: id,
    fspReferenceId: 'F1',
    amount: '5000',
    status: 'success',
    operator: 'Airtel',
  };
  expect(readNotice({ body: answer(200, notice).body })).toEqual({ reference, providerReference: id, claimsPaid: false });
});
