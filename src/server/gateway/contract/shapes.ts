import { annotated } from './annotated.js';
import { webhookKinds } from '../../../core/events/webhook-kinds.js';
import * as t from 'io-ts';

/** The codec of an object of this name, with members that it always has and members that it may have. */
export const object = <Required extends t.Props, Optional extends t.Props>(
  name: string,
  required: Required,
  optional: Optional,
): t.IntersectionC<[t.TypeC<Required>, t.PartialC<Optional>]> =>
  t.intersection([t.type(required), t.partial(optional)], name);

/** The codec of such an object in a request, which takes no other members. */
export const request = <Required extends t.Props, Optional extends t.Props>(
  name: string,
  required: Required,
  optional: Optional,
): t.ExactC<t.IntersectionC<[t.TypeC<Required>, t.PartialC<Optional>]>> =>
  t.exact(t.intersection([t.type(required), t.partial(optional)]), name);

/** The names of all members that a request takes. */
export const membersOf = ({
  type,
}: {
  readonly type: { readonly types: readonly { readonly props: object }[] };
}): ReadonlySet<string> => new Set(type.types.flatMap(({ props }) => Object.keys(props)));

/** A value, or null. */
export const nullable = <Codec extends t.Mixed>(codec: Codec): t.UnionC<[Codec, t.NullC]> =>
  t.union([codec, t.null]);

/** One of these words. */
export const words = <Word extends string>(...all: readonly Word[]): t.KeyofC<Record<Word, null>> =>
  t.keyof(Object.fromEntries(all.map((word) => [word, null])) as Record<Word, null>);

/** A whole number that is not negative. */
export const count = annotated(t.number, { minimum: 0, multipleOf: 1 });

/** A time as API v2 writes it. */
export const timestamp = annotated(t.string, { format: 'date-time' });

/** A time of the gateway's own interface. */
export const epochMs = annotated(t.number, { description: 'Milliseconds since 1970.' });

/** An address. */
export const address = annotated(t.string, { format: 'uri' });

/** Labels by name. */
export const labels = t.record(t.string, t.string);

/** The kinds of messages that a webhook may ask for. */
export const webhookKind = words(...webhookKinds);
