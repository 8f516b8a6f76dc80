import { describe, expect, test } from 'vitest';
import { MPESA_STATEMENT } from '@/lib/providers/mpesa/wire';
import type { StatementMapping } from '@/lib/providers/port/port';
import { SANDBOX_STATEMENT } from '@/lib/providers/sandbox/wire';
import { readStatement } from './read-statement';
import { CANONICAL_STATEMENT } from './statement';

const HEADER = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';
const REFERENCE = 'ABCDEFGHJKLMNPQRSTUV';
const NOTHING_SKIPPED = { not_completed: 0, other_money: 0, repeated: 0 };

const options = {
  now: new Date('2026-11-26T12:00:00Z'),
  period: { from: new Date('2026-10-31T21:00:00Z'), to: new Date('2026-11-30T21:00:00Z') },
};
const read = (text: string, mapping: StatementMapping = CANONICAL_STATEMENT, encoding: BufferEncoding = 'utf8') =>
  readStatement(Buffer.from(text, encoding), mapping, options);
const canonical = (...lines: string[]) => read([HEADER, ...lines].join('\n'));

describe('a canonical statement', () => {
  test('is read with exact amounts and times, and with the original cells', () => {
    const statement = canonical(
      `QAB1,payment,12500.5,2026-11-20T14:05:09+03:00,${REFERENCE},+255 712 345 678,`,
      'QAB2,reversal,12500,2026-11-20 15:00:00,,,QAB1',
    );
    expect(statement).toEqual({
      ok: true,
      value: {
        lines: [
          {
            number: 2,
            kind: 'payment',
            transactionId: 'QAB1',
            amount: 1_250_050n,
            completedAt: new Date('2026-11-20T11:05:09Z'),
            reference: REFERENCE,
            mobile: '0712345678',
            reversedTransactionId: null,
            raw: {
              transaction_id: 'QAB1',
              type: 'payment',
              amount: '12500.5',
              completed_at: '2026-11-20T14:05:09+03:00',
              reference: REFERENCE,
              mobile: '+255 712 345 678',
              reversed_transaction_id: '',
            },
          },
          expect.objectContaining({
            number: 3,
            kind: 'reversal',
            amount: 1_250_000n,
            completedAt: new Date('2026-11-20T12:00:00Z'),
            reversedTransactionId: 'QAB1',
          }),
        ],
        lastNumber: 3,
        skipped: NOTHING_SKIPPED,
      },
    });
  });

  test.each([
    ['a byte order mark, CRLF, quotes and empty lines', `\uFEFF${HEADER}\r\n\r\n"Q1","payment","5000","2026-11-20 10:00:00","","",""\r\n`],
    [
      'columns in another order',
      'type,amount,transaction_id,reference,mobile,reversed_transaction_id,completed_at\npayment,5000,Q1,,,,2026-11-20 10:00:00',
    ],
  ])('may have %s', (_what, text) => {
    expect(read(text)).toMatchObject({ ok: true, value: { lines: [{ transactionId: 'Q1', amount: 500_000n }] } });
  });

  test('may be in UTF-16 with a byte order mark', () => {
    const text = `\ufeff${HEADER}\nQ1,payment,5000,2026-11-20 10:00:00,,,`;
    expect(read(text, CANONICAL_STATEMENT, 'utf16le')).toMatchObject({ ok: true, value: { lines: [{ transactionId: 'Q1' }] } });
  });

  test('may contain only a header', () => {
    expect(canonical()).toEqual({ ok: true, value: { lines: [], lastNumber: 1, skipped: NOTHING_SKIPPED } });
  });

  test('may contain a line twice, which is read once', () => {
    const line = 'Q1,payment,5000,2026-11-20 10:00:00,,,';
    expect(canonical(line, line)).toMatchObject({
      ok: true,
      value: { lines: [{ number: 2 }], skipped: { ...NOTHING_SKIPPED, repeated: 1 } },
    });
  });

  test('may contain a payment and a reversal with the same id', () => {
    const lines = ['Q1,payment,5000,2026-11-20 10:00:00,,,', 'Q1,reversal,5000,2026-11-20 11:00:00,,,Q1'];
    expect(canonical(...lines)).toMatchObject({ ok: true, value: { lines: [{ kind: 'payment' }, { kind: 'reversal' }] } });
  });

  test.each([
    ['Q1,deposit,5000,2026-11-20 10:00:00,,,', 'type "deposit" must be payment or reversal'],
    ['Q1,payment,"5,000",2026-11-20 10:00:00,,,', 'amount "5,000" must be shillings with at most two decimals, like 12500 or 12500.50'],
    ['Q1,payment,5000.005,2026-11-20 10:00:00,,,', 'amount "5000.005" must be shillings with at most two decimals, like 12500 or 12500.50'],
    ['Q1,payment,-5000,2026-11-20 10:00:00,,,', 'amount "-5000" must be shillings with at most two decimals, like 12500 or 12500.50'],
    ['Q1,payment,1e3,2026-11-20 10:00:00,,,', 'amount "1e3" must be shillings with at most two decimals, like 12500 or 12500.50'],
    ['Q1,payment,,2026-11-20 10:00:00,,,', 'amount "" must be shillings with at most two decimals, like 12500 or 12500.50'],
    ['Q1,payment,0.00,2026-11-20 10:00:00,,,', 'amount must be more than 0'],
    [
      'Q1,payment,1234567890123456,2026-11-20 10:00:00,,,',
      'amount "1234567890123456" must be shillings with at most two decimals, like 12500 or 12500.50',
    ],
    [',payment,5000,2026-11-20 10:00:00,,,', 'transaction_id is missing'],
    [`${'Q'.repeat(65)},payment,5000,2026-11-20 10:00:00,,,`, 'transaction_id is longer than 64 characters'],
    ['Q1,payment,5000,20-11-2026 10:00:00,,,', 'completed_at "20-11-2026 10:00:00" is not a valid time'],
    ['Q1,payment,5000,2026-02-30 10:00:00,,,', 'completed_at "2026-02-30 10:00:00" is not a valid time'],
    ['Q1,payment,5000,2026-11-20T10:00:00,,,', 'completed_at "2026-11-20T10:00:00" is not a valid time'],
    [
      'Q1,payment,5000,2026-11-20 10:00:00,order-1,,',
      'reference "order-1" must be 20 upper-case letters and digits, an issued number of 4 to 20 digits, or empty',
    ],
    ['Q1,payment,5000,2026-11-20 10:00:00,,12345,', 'mobile "12345" is not a Tanzanian mobile number'],
    ['Q1,payment,5000,2026-11-20 10:00:00,,,Q0', 'reversed_transaction_id is allowed only for reversals'],
    ['Q1,reversal,5000,2026-11-20 10:00:00,,,', 'reversed_transaction_id is missing'],
    ['Q1,payment,5000,2026-11-20 10:00:00', 'the line has 4 fields, but the header has 7'],
  ])('with the line %s is refused', (line, reason) => {
    expect(canonical('Q0,payment,5000,2026-11-20 10:00:00,,,', line)).toEqual({ ok: false, error: [{ line: 3, reason }] });
  });

  test.each([
    ['1.23457E+11', 'receipt numbers in scientific notation'],
    ['9E12', 'short receipt numbers in scientific notation'],
    ['12345678901.00', 'receipt numbers with decimals'],
    ['12,345,678', 'receipt numbers with separators'],
    ['########', 'receipt numbers that did not fit into the column'],
  ])('with %s is refused: %s', (id) => {
    const reason = expect.stringContaining('a spreadsheet has changed');
    const [paid, back] = [`"${id}",payment,5000,2026-11-20 10:00:00,,,`, `Q2,reversal,5000,2026-11-20 10:00:00,,,"${id}"`];
    expect(canonical(paid, back)).toEqual({
      ok: false,
      error: [
        { line: 2, reason },
        { line: 3, reason },
      ],
    });
  });

  test('with a reference in scientific notation is refused', () => {
    const refused = canonical('Q1,payment,5000,2026-11-20 10:00:00,1.23457E+19,,');
    expect(refused).toMatchObject({ ok: false, error: [{ reason: expect.stringContaining('a spreadsheet has changed') }, {}] });
  });

  test('with rounded receipt numbers is refused, but one number may end with zeros', () => {
    const line = (id: string) => `${id},payment,5000,2026-11-20 10:00:00,,,`;
    expect(canonical(line('123456789012345000'), line('223456789012345000'))).toMatchObject({ ok: false, error: [{ line: 2 }] });
    expect(canonical(line('123456789012345000'), line('223456789012345001'))).toMatchObject({ ok: true });
  });

  test('with receipt numbers that differ only by leading zeros or upper case is read once, or refused if the amounts differ', () => {
    const line = (id: string, amount = 5000) => `${id},payment,${amount},2026-11-20 10:00:00,,,`;
    expect(canonical(line('0123'), line('123'), line('sbx1'), line('SBX1'))).toMatchObject({
      ok: true,
      value: { lines: [{ transactionId: '0123' }, { transactionId: 'sbx1' }], skipped: { repeated: 2 } },
    });
    expect(canonical(line('0123'), line('123', 6000))).toMatchObject({ ok: false, error: [{ line: 3 }] });
  });

  test('with a time in the future is refused', () => {
    expect(canonical('Q1,payment,5000,2026-12-11 10:00:00,,,')).toEqual({
      ok: false,
      error: [{ line: 2, reason: 'completed_at "2026-12-11 10:00:00" is in the future' }],
    });
  });

  test('with two different lines about one transaction is refused', () => {
    const refused = canonical('Q1,payment,5000,2026-11-20 10:00:00,,,', 'Q1,payment,6000,2026-11-20 10:00:00,,,');
    expect(refused).toEqual({ ok: false, error: [{ line: 3, reason: 'payment Q1 is also on line 2, with different values' }] });
  });

  test('with errors is refused with all problems of all lines', () => {
    const refused = canonical(
      ',payment,x,2026-11-20 10:00:00,,,',
      'Q2,payment,5000,2026-11-20 10:00:00,,,',
      'Q3,payment,5000,yesterday,,,',
    );
    expect(refused).toMatchObject({ ok: false, error: [{ line: 2 }, { line: 2 }, { line: 4 }] });
  });

  test.each([
    ['', 'there is no header with the columns'],
    ['transaction_id,type,amount\n', 'the header has no column completed_at'],
    [`${HEADER},note\n`, 'the header has an unknown column "note"'],
    [`${HEADER},type\n`, 'the header has the column type twice'],
    [`${HEADER}\nQ1,"payment\n`, 'Quote Not Closed'],
    [`${HEADER}\nQ1,pay\0ment\n`, 'the file is not text'],
    ['PK\u0003\u0004', 'the file is not text'],
    [`${HEADER.replaceAll(',', ';')}\n"Q1";payment\n`, 'separated by semicolons'],
    [HEADER.replaceAll(',', '\t'), 'separated by tabs'],
  ])('%j is refused: %s', (text, reason) => {
    expect(read(text)).toMatchObject({ ok: false, error: [{ reason: expect.stringContaining(reason) }] });
  });

  test('that is not UTF-8 is refused', () => {
    const latin = Buffer.from(`${HEADER}\nQ\xe91,payment,5000,2026-11-20 10:00:00,,,`, 'latin1');
    expect(readStatement(latin, CANONICAL_STATEMENT, options)).toEqual({
      ok: false,
      error: [{ line: 1, reason: 'the file must be text in UTF-8' }],
    });
  });
});

describe("M-Pesa's organisation statement", () => {
  const MPESA_HEADER =
    'Receipt No.,Completion Time,Initiation Time,Details,Transaction Status,Paid In,Withdrawn,Balance,Balance Confirmed,Reason Type,Other Party Info,Linked Transaction ID,A/C No.';
  const mpesa = (...lines: string[]) =>
    read(['Organization Name,DUKA LA MFANO', 'Short Code,123456,,', '', MPESA_HEADER, ...lines].join('\r\n'), MPESA_STATEMENT);

  test('is read as payments and reversals, without other transactions', () => {
    const statement = mpesa(
      `SK1,20-11-2026 14:05:09,20-11-2026 14:05:01,Pay Bill,Completed,"1,012,500.00",,"2,000,000.00",true,Pay Bill Online,255712345678 - ASHA JUMA,,${REFERENCE}`,
      'SK2,2026-11-20 15:00:00,2026-11-20 15:00:00,Pay Bill,Completed,5000.00,,5000.00,true,Pay Bill Online,2557****678 - JOHN DOE,,ada ya shule',
      'SK3,20-11-2026 16:00:00,20-11-2026 16:00:00,Pay Bill,Failed,5000.00,,5000.00,true,Pay Bill Online,,,',
      'SK4,20-11-2026 17:00:00,20-11-2026 17:00:00,Charge,Completed,,-60.00,5000.00,true,Business Pay Bill Charge,,SK1,',
      'SK5,20-11-2026 18:00:00,20-11-2026 18:00:00,Settlement,Completed,,"-900,000.00",5000.00,true,Organization Settlement,,,',
      'SK6,20-11-2026 19:00:00,20-11-2026 19:00:00,Reversal,Completed,,"-1,012,500.00",5000.00,true,Pay Bill Reversal,,SK1,',
      'SK7,20-11-2026 20:00:00,20-11-2026 20:00:00,Back,Completed,60.00,,5000.00,true,Charge Reversal,,SK4,',
    );
    expect(statement).toMatchObject({
      ok: true,
      value: {
        lines: [
          {
            number: 5,
            kind: 'payment',
            transactionId: 'SK1',
            amount: 101_250_000n,
            completedAt: new Date('2026-11-20T11:05:09Z'),
            reference: REFERENCE,
            mobile: '0712345678',
            reversedTransactionId: null,
          },
          { transactionId: 'SK2', amount: 500_000n, completedAt: new Date('2026-11-20T12:00:00Z'), reference: null, mobile: null },
          { transactionId: 'SK6', kind: 'reversal', amount: 101_250_000n, reversedTransactionId: 'SK1' },
        ],
        skipped: { not_completed: 1, other_money: 3, repeated: 0 },
      },
    });
  });

  test.each([
    ['SK1,20-11-2026 14:05:09,,,Completed,1.000,,,,,,,', 'Paid In "1.000" must be shillings'],
    ['SK1,20-11-2026 14:05:09,,,Completed,"1,00",,,,,,,', 'Paid In "1,00" must be shillings'],
    ['SK1,20-11-2026 14:05:09,,,Completed,100,100,,,,,,', 'the line has both Paid In and Withdrawn'],
    ['SK1,11-20-2026 14:05:09,,,Completed,100,,,,,,,', 'Completion Time "11-20-2026 14:05:09" is not a valid time'],
    [',20-11-2026 14:05:09,,,Completed,100,,,,,,,', 'Receipt No. is missing'],
  ])('with the line %s is refused', (line, reason) => {
    expect(mpesa(line)).toEqual({ ok: false, error: [{ line: 5, reason: expect.stringContaining(reason) }] });
  });

  const paidAt = (...times: string[]) => mpesa(...times.map((time, index) => `SK${index},${time},,,Completed,100,,,,,,,`));

  test.each([
    [['11/10/2026 15:30:00'], 'day and month seem to be swapped'],
    [['11/01/2026 15:30:00', '11/10/2026 15:30:00'], 'day and month seem to be swapped'],
    [['09-11-2026 15:30:00', '11-10-2026 15:30:00', '20-11-2026 15:30:00'], 'day and month seem to be swapped'],
    [['20-11-2026 15:30:00', '11-10-2026 15:30:00', '09-11-2026 15:30:00'], 'day and month seem to be swapped'],
    [['20-11-2026 15:30:00', '11/10/2026 15:30:00'], 'dashes on some lines and slashes on others'],
    [['11/12/2026 15:30:00'], 'is in the future'],
  ])('with the times %j, which a spreadsheet has changed, is refused', (times, reason) => {
    expect(paidAt(...times)).toMatchObject({ ok: false, error: [{ reason: expect.stringContaining(reason) }] });
  });

  test.each([
    [['10-11-2026 15:30:00', '11-10-2026 15:30:00']],
    [['11/10/2026 15:30:00', '20/10/2026 15:30:00']],
    [['11-10-2026 15:30:00', '20-11-2026 15:30:00']],
    [['20-11-2026 15:30:00', '11-10-2026 15:30:00']],
    [['2026-10-11 15:30:00', '20-11-2026 15:30:00']],
  ])('with the times %j is read, also where they are outside of the period', (times) => {
    expect(paidAt(...times)).toMatchObject({ ok: true, value: { lines: [{}, {}] } });
  });

  test.each([
    ['SK1,20-11-2026 14:05:09,,Pay Bill,Comple', 'the line has 5 fields, but the header has 13'],
    ['SK1,20-11-2026 14:05:09,,,Completed,100,,,,,,,,SK2,20-11-2026 14:05:09', 'has no name in the header'],
  ])('with the incomplete or joined line %s is refused', (line, reason) => {
    expect(mpesa(line)).toEqual({ ok: false, error: [{ line: 5, reason: expect.stringContaining(reason) }] });
  });

  test('whose lines end in different ways is read whole', () => {
    const payment = (id: string) => `${id},20-11-2026 14:05:09,,,Completed,100,,,,,,,,`;
    const text = `${MPESA_HEADER}\r\n${payment('SK1')}\n${payment('SK2')}\n${payment('SK3')}\r${payment('SK4')}\r\n`;
    expect(read(text, MPESA_STATEMENT)).toMatchObject({
      ok: true,
      value: { lines: [{ number: 2 }, {}, {}, { number: 5, transactionId: 'SK4' }] },
    });
  });

  test('without its header is refused', () => {
    expect(read(`${HEADER}\n`, MPESA_STATEMENT)).toMatchObject({
      ok: false,
      error: [{ line: 1, reason: expect.stringContaining('there is no header with the columns Receipt No., Paid In') }],
    });
  });
});

test('several exports in one file are read if their headers are the same', () => {
  const header = 'Receipt,Completed,Status,Type,Amount,Reference,Phone,Reverses';
  const other = 'Completed,Receipt,Status,Type,Amount,Reference,Phone,Reverses';
  const line = (id: string) => `${id},2026-11-20T11:05:09Z,PAID,payment,5000,,,`;
  expect(read([header, line('SBX1'), header, line('SBX2')].join('\n'), SANDBOX_STATEMENT)).toMatchObject({
    ok: true,
    value: { lines: [{ transactionId: 'SBX1' }, { transactionId: 'SBX2' }], skipped: NOTHING_SKIPPED },
  });
  expect(read([header, line('SBX1'), other].join('\n'), SANDBOX_STATEMENT)).toMatchObject({ ok: false, error: [{ line: 3 }] });
});

test("the simulated provider's statement is read", () => {
  const text = `Receipt,Completed,Status,Type,Amount,Reference,Phone,Reverses
SBX1,2026-11-20T11:05:09.123Z,PAID,payment,"5,000",${REFERENCE},255712345001,
SBX2,2026-11-20T11:05:09.123Z,EXPIRED,payment,"5,000",${REFERENCE},255712345005,`;
  expect(read(text, SANDBOX_STATEMENT)).toMatchObject({
    ok: true,
    value: { lines: [{ transactionId: 'SBX1', amount: 500_000n, mobile: '0712345001' }], skipped: { not_completed: 1 } },
  });
});
