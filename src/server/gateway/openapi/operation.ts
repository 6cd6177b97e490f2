import type * as t from 'io-ts';

/** What goes over the wire, by media type: a codec of its JSON, or what it is. */
export type Content = Readonly<Record<string, t.Mixed>>;

/** One parameter of an address's query, or one header of a request. */
export interface Parameter {
  readonly codec: t.Mixed;
  readonly description: string;
  /** How a value that is no single word is written: `list` by commas, `members` as `name[key]=value`. */
  readonly style?: 'list' | 'members';
}

/** One answer that is no refusal. */
export interface Answer {
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the description of the gateway says of one operation; method, path and access are those of its route. */
export interface Operation {
  /** Names it in clients that are made of the description. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers?: Readonly<Record<string, Parameter>>;
  readonly body?: { readonly content: Content; readonly required: boolean };
  readonly answers: Readonly<Record<number, Answer>>;
  /** The statuses by which the operation itself refuses; those of all operations come on top. */
  readonly refusals?: readonly number[];
}

/** Operations by method and path, as `GET /jobs/:id`. */
export type Operations = Readonly<Record<string, Operation>>;

const jsonType = 'application/json';

/** Content that is JSON and nothing else. */
export const jsonOf = (codec: t.Mixed): Content => ({ [jsonType]: codec });

/** An answer of JSON. */
export const answers = (description: string, codec: t.Mixed, headers?: Answer['headers']): Answer => ({
  description,
  content: jsonOf(codec),
  ...(headers !== undefined && { headers }),
});

/** A request of JSON. */
export const takes = (codec: t.Mixed, required = true): NonNullable<Operation['body']> => ({
  content: jsonOf(codec),
  required,
});
