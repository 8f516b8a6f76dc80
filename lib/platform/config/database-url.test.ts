import { expect, test } from 'vitest';
import { splitDatabaseUrl } from './database-url';

test.each([
  ['postgresql://bili:p@localhost:5432/bili', ['postgresql://bili:p@localhost:5432/bili']],
  ['postgres:///bili?host=/run/postgresql', ['postgres:///bili?host=/run/postgresql']],
  [
    'postgresql://bili:p%2Cq@db1:5432,db2:6432/bili?target_session_attrs=read-write',
    [
      'postgresql://bili:p%2Cq@db1:5432/bili?target_session_attrs=read-write',
      'postgresql://bili:p%2Cq@db2:6432/bili?target_session_attrs=read-write',
    ],
  ],
  ['postgresql://[::1]:5432,127.0.0.1/bili', ['postgresql://[::1]:5432/bili', 'postgresql://127.0.0.1/bili']],
])('%s has the hosts %j', (text, value) => {
  expect(splitDatabaseUrl(text)).toEqual({ ok: true, value });
});

test.each(['', 'postgresql://', 'mysql://h/d', 'postgresql://a,,b/d', 'postgresql://a:x/d', 'postgresql://a/d?target_session_attrs=any'])(
  '"%s" is refused',
  (text) => {
    expect(splitDatabaseUrl(text)).toMatchObject({ ok: false });
  },
);
