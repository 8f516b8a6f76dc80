import { expect, test } from 'vitest';
import { pathReader } from './api';

test.each([
  ['/api/v3/bills/create', '/api/v3/bills/create', {}],
  ['/api/v3/bills/create', '/api/v3/bills/%63reate', null],
  ['/api/v3/bills/create', '/api/v3/bills/create/', null],
  ['/api/v3/bills/:id', '/api/v3/bills/1', { id: '1' }],
  ['/api/v3/bills/:id', '/api/v3/bills/', null],
  ['/api/v3/bills/:id', '/api/v3/bills', null],
  ['/api/v3/bills/:id', '/api/v3/bills/1/', null],
  ['/api/v3/bills/:id', '/api/v3//bills/1', null],
  ['/api/v3/bills/:id', '/api/v3/bills/a%2Fb', { id: 'a/b' }],
  ['/api/v3/bills/:id', '/api/v3/bills/%2561', { id: '%61' }],
  ['/api/v3/bills/:id', '/api/v3/bills/%FF', { id: '%FF' }],
  ['/:shop/bills/:id', '/duka/bills/7', { shop: 'duka', id: '7' }],
  ['/:shop/bills/:id', '/duka/bill/7', null],
])('%s matches %s', (template, path, params) => {
  expect(pathReader(template)(path)).toEqual(params);
});
