import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';

/**
 * Says what `shapeProblem` must say of a value that this codec refuses, from the errors that io-ts itself gives: of the
 * places one deepest inside, with the outermost codec there.
 */
export const codecProblem = (codec: t.Mixed, value: unknown): string => {
  const result = codec.decode(value);
  const places = E.isLeft(result) ? result.left.map((error) => placeOf(codec, error)) : [];
  const deepest = places.reduce<Place>(
    (best, place) => (place.path.length > best.path.length ? place : best),
    places[0] ?? { path: [], codec },
  );
  return `${deepest.path.length === 0 ? 'data' : deepest.path.join('.')} should be ${describe(deepest.codec)}`;
};

interface Place {
  readonly path: readonly string[];
  /** The outermost codec at this path, so that a union is described with all its members. */
  readonly codec: Tagged;
}

interface Tagged {
  readonly name?: string;
  readonly _tag?: unknown;
  readonly types?: unknown;
}

const placeOf = (root: t.Mixed, { context }: t.ValidationError): Place => {
  const path: string[] = [];
  let codec: Tagged = root;
  context.forEach(({ key, type }, index) => {
    // The first entry is the root; below a union or intersection stands one for the member, which is no place.
    if (index === 0 || hasMembers(context[index - 1]?.type)) return;
    path.push(key);
    codec = type as Tagged;
  });
  return { path, codec };
};

const hasMembers = (codec: Tagged | undefined): boolean =>
  codec?._tag === 'UnionType' || codec?._tag === 'IntersectionType';

const describe = ({ _tag, types }: Tagged): string => {
  switch (_tag) {
    case 'UnionType':
      // That something may be absent goes without saying.
      return (types as readonly Tagged[])
        .filter((type) => type._tag !== 'UndefinedType')
        .map(describe)
        .join(' or ');
    case 'StringType':
      return 'a string';
    case 'NumberType':
      return 'a number';
    case 'BooleanType':
      return 'true or false';
    case 'NullType':
      return 'null';
    case 'ArrayType':
    case 'AnyArrayType':
      return 'a list';
    default:
      return 'an object';
  }
};
