import type * as t from 'io-ts';
import { isLeft } from './either.js';

/** What [Standard Schema](https://standardschema.dev) asks of a schema, so that routers and SDKs of others take it as one. */
export interface StandardSchema<Value> {
  /** How others check a value by this schema. */
  readonly '~standard': {
    /** The version of Standard Schema. */
    readonly version: 1;
    /** Who made the schema. */
    readonly vendor: 'promptwire';
    /** Gives the value as it is, or what is wrong and where; never throws. */
    readonly validate: (value: unknown) => StandardResult<Value>;
    /** The types of a value before and after the check, which are the same; for the compiler alone. */
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

/** What a check by Standard Schema gives. */
export type StandardResult<Value> =
  | {
      /** The value that was checked. */
      readonly value: Value;
      /** Absent: nothing is wrong. */
      readonly issues?: undefined;
    }
  | {
      /** What is wrong, with the path to it. */
      readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[];
    };

/** Makes a codec a schema of Standard Schema as well. */
export const standard = <Codec extends t.Mixed>(codec: Codec): Codec & StandardSchema<t.TypeOf<Codec>> => {
  const validate = (value: unknown): StandardResult<t.TypeOf<Codec>> => {
    const decoded = codec.decode(value) as t.Validation<t.TypeOf<Codec>>;
    return isLeft(decoded) ? { issues: decoded.left.map(issueOf) } : { value: decoded.right };
  };
  const schema: StandardSchema<t.TypeOf<Codec>> = {
    '~standard': { version: 1, vendor: 'promptwire', validate },
  };
  return Object.assign(codec, schema);
};

/** The message names the type and shows nothing of the value, which may be a secret. */
const issueOf = ({ context, message }: t.ValidationError): { message: string; path: string[] } => ({
  message: message ?? `This is no ${context.at(-1)?.type.name ?? 'value'}.`,
  path: context.flatMap(({ key }, index) => (isMember(context[index - 1]) ? [key] : [])),
});

/** Whether the next key is that of a member: unions and intersections count their parts. */
const isMember = (above: t.ContextEntry | undefined): boolean =>
  above !== undefined && !partTags.has((above.type as { readonly _tag?: unknown })._tag);

const partTags: ReadonlySet<unknown> = new Set(['IntersectionType', 'UnionType']);
