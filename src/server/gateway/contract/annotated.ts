import * as t from 'io-ts';

/** Keywords of JSON Schema that bound a value: the codec checks them, and its schema shows them. */
export interface Bounds {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression, which JavaScript reads with the flag `u`. */
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly multipleOf?: 1;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: { readonly pattern: string };
}

/** Keywords of JSON Schema that only explain. */
export interface Notes {
  readonly description?: string;
  readonly format?: string;
  readonly contentEncoding?: 'base64';
  readonly default?: unknown;
}

/** A codec with keywords of JSON Schema. */
export class AnnotatedType<A> extends t.Type<A> {
  readonly _tag = 'AnnotatedType';
  readonly codec: t.Type<A>;
  readonly keywords: Bounds & Notes;

  constructor(codec: t.Type<A>, keywords: Bounds & Notes) {
    const is = (value: unknown): value is A => codec.is(value) && keeps(value, keywords);
    super(
      codec.name,
      is,
      (value, context) => {
        const read = codec.validate(value, context);
        return read._tag === 'Left' || keeps(value, keywords) ? read : t.failure(value, context);
      },
      codec.encode,
    );
    this.codec = codec;
    this.keywords = keywords;
  }
}

/** Gives a codec bounds and notes. */
export const annotated = <A>(codec: t.Type<A>, keywords: Bounds & Notes): AnnotatedType<A> =>
  new AnnotatedType(codec, keywords);

const keeps = (value: unknown, bounds: Bounds): boolean => {
  if (typeof value === 'string') return keepsText(value, bounds);
  if (typeof value === 'number') return keepsNumber(value, bounds);
  if (Array.isArray(value)) return within(value.length, bounds.minItems, bounds.maxItems);
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value);
    return (
      within(names.length, undefined, bounds.maxProperties) &&
      names.every((name) => keepsText(name, bounds.propertyNames ?? {}))
    );
  }
  return true;
};

const keepsText = (text: string, { minLength, maxLength, pattern }: Bounds): boolean =>
  within(text.length, minLength, maxLength) && (pattern === undefined || new RegExp(pattern, 'u').test(text));

const keepsNumber = (
  value: number,
  { minimum, maximum, exclusiveMinimum = -Infinity, multipleOf }: Bounds,
): boolean =>
  within(value, minimum, maximum) &&
  value > exclusiveMinimum &&
  (multipleOf === undefined || Number.isInteger(value));

const within = (value: number, least = -Infinity, most = Infinity): boolean =>
  value >= least && value <= most;
