import { describe, expect, expectTypeOf, it } from 'vitest';
import { errorDefaults } from '../../src/core/errors/error-defaults.js';
import type { ServiceError, ServiceErrorOf, ServiceErrorTag } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { type ErrorCases, hasTag, matchError } from '../../src/fp.js';

const tags = Object.keys(errorDefaults) as readonly ServiceErrorTag[];
const errorOf = (tag: ServiceErrorTag): ServiceError => serviceError(tag, {});

describe('matchError', () => {
  it('calls the function of the tag, with the error itself, for every tag', () => {
    const cases = Object.fromEntries(
      tags.map((tag) => [tag, (error: ServiceError) => [tag, error]]),
    ) as unknown as ErrorCases;
    for (const tag of tags) {
      const error = errorOf(tag);
      expect(matchError(cases)(error)).toEqual([tag, error]);
    }
  });

  it('calls the last function for a tag without its own', () => {
    const fold = matchError({ NotFound: () => 'gone' }, ({ _tag }) => `other: ${_tag}`);
    expect([fold(errorOf('NotFound')), fold(errorOf('Closed'))]).toEqual(['gone', 'other: Closed']);
  });

  it('takes no inherited member for a case', () => {
    const cases = Object.create({ NotFound: () => 'inherited' }) as { NotFound: () => string };
    expect(matchError(cases, () => 'other')(errorOf('NotFound'))).toBe('other');
  });

  it('throws the error where a program without types has no case for it', () => {
    const error = errorOf('Closed');
    expect(() => matchError({} as ErrorCases)(error)).toThrow(error);
  });

  it('knows the members of each tag, wants every tag or a last function, and gives the union of the results', () => {
    const fold = matchError(
      {
        OutcomeUnknown: ({ candidates }) => {
          expectTypeOf(candidates).toEqualTypeOf<readonly string[]>();
          return 1;
        },
      },
      (error) => {
        expectTypeOf(error).toEqualTypeOf<ServiceError>();
        return true;
      },
    );
    expectTypeOf(fold).toEqualTypeOf<(error: ServiceError) => number | boolean>();
    // @ts-expect-error -- not every tag has a function
    expect(matchError({ NotFound: () => 1 })(errorOf('NotFound'))).toBe(1);
    // @ts-expect-error -- no tag has the second name
    expect(matchError({ Closed: () => 1, Notfound: () => 1 }, () => 2)(errorOf('NotFound'))).toBe(2);
  });
});

describe('hasTag', () => {
  it('holds of errors with one of the tags', () => {
    const isAway = hasTag('Network', 'Timeout');
    expect(tags.filter((tag) => isAway(errorOf(tag)))).toEqual(['Network', 'Timeout']);
  });

  it('narrows to the members of these tags', () => {
    const [error] = [errorOf('Timeout')].filter(hasTag('Timeout'));
    expectTypeOf(error).toEqualTypeOf<ServiceErrorOf<'Timeout'> | undefined>();
    expect(error?._tag).toBe('Timeout');
  });
});
