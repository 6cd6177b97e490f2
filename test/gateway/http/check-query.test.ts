import { checkQuery } from '../../../src/server/gateway/http/check-query.js';
import { expect, it } from 'vitest';

const refusal = (query: readonly string[] | undefined, search: string) =>
  checkQuery(query === undefined ? {} : { query }, new URL(`http://h/jobs${search}`));

it.each([
  [undefined, '?anything=1'],
  [[], ''],
  [['limit', 'after'], '?after=a&limit=1&limit=2'],
  [['metadata[]'], '?metadata[a]=1&metadata[b[c]]=2&metadata[]=3&metadata[a%0Ab]=4'],
])('takes the parameters that a route has, and any of a route that checks none: %j, %s', (query, search) => {
  expect(refusal(query, search)).toBeUndefined();
});

it('refuses the first one that a route does not have, and names those that it has', () => {
  expect(refusal(['limit', 'metadata[]'], '?limit=1&limitt=2&other=3')).toEqual({
    ...{ status: 400, code: 'unknown_parameter' },
    message: 'The query takes `limit`, `metadata[]`, and no `limitt`.',
    details: { parameter: 'limitt', known: ['limit', 'metadata[]'] },
  });
  expect(refusal([], '?a=1')).toMatchObject({
    message: 'The query takes no parameter, and so no `a`.',
    details: { parameter: 'a', known: [] },
  });
});

it.each(['?limit[a]=1', '?metadata=1', '?xmetadata[a]=1', '?metadata[a]x=1', '?Limit=1', '?=1'])(
  'refuses what only resembles one: %s',
  (search) => {
    expect(refusal(['limit', 'metadata[]'], search)?.status).toBe(400);
  },
);

it('names a long parameter by its beginning', () => {
  expect(refusal([], `?${'a'.repeat(5_000)}=1`)?.details).toMatchObject({ parameter: 'a'.repeat(100) });
});
