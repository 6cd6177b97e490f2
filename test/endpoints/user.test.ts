import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { readUser } from '../../src/core/endpoints/user.js';

describe('readUser', () => {
  it('reads the status and, where there is one, the id', () => {
    expect(readUser({ status: 'active' })).toEqual(E.right({ status: 'active' }));
    expect(readUser({ status: 'waitlisted', id: 'u1', plan: 'x' })).toEqual(
      E.right({ status: 'waitlisted', id: 'u1' }),
    );
    expect(readUser({ status: 'active', id: 5 })).toEqual(E.right({ status: 'active' }));
  });

  it.each([undefined, null, [], 'active', {}, { status: 5 }, { storage: 'server', migrated: true }])(
    'refuses %j',
    (json) => {
      expect(E.isLeft(readUser(json))).toBe(true);
    },
  );
});
