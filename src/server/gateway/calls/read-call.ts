import { type Either, left, right } from '../../../core/protocol/either.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { Refusal } from '../http/refusal.js';
import { refusal } from '../v2/refusal.js';
import type { RouteCall } from '../http/route.js';

/** The body of a call: its members, and the values of inputs by name. */
export interface CallBody {
  /** The members beside `inputs`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The values of inputs by name; those of a form may be files. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The names of inputs that came as texts of a form: the inputs that they set decide their types. */
  readonly texts: ReadonlySet<string>;
}

/** Whether a body is a form, whose files count as uploads. */
export const isForm = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /^multipart\/form-data\b/iu.test(headers.get('content-type') ?? '');

/**
 * Reads the body of a call, which takes these members: JSON, or a form whose fields are these members as JSON, and inputs by name, as files
 * or as texts.
 */
export const readCall = async (
  call: Pick<RouteCall, 'request' | 'json' | 'form' | 'field' | 'body'>,
  known: ReadonlySet<string>,
): Promise<Either<Refusal, CallBody>> =>
  isForm(call.request)
    ? readForm(await call.form(), call.field, known)
    : readJson(call.body === null ? {} : await call.json(), known);

const readJson = (body: unknown, known: ReadonlySet<string>): Either<Refusal, CallBody> => {
  if (!isJsonObject(body) || !Object.keys(body).every((name) => known.has(name)))
    return left(unknownMember(known));
  const { inputs = {}, ...members } = body;
  return isJsonObject(inputs) ? right({ members, inputs, texts: new Set() }) : left(noInputs);
};

const readForm = async (
  form: FormData,
  readField: RouteCall['field'],
  known: ReadonlySet<string>,
): Promise<Either<Refusal, CallBody>> => {
  const members: Record<string, unknown> = {};
  const inputs = new Map<string, unknown>();
  const texts = new Set<string>();
  for (const [name, value] of form) {
    if (!known.has(name)) {
      inputs.set(name, value);
      if (typeof value === 'string') texts.add(name);
      continue;
    }
    members[name] = await readField(name, value);
  }
  const { inputs: others = {}, ...rest } = members;
  if (!isJsonObject(others)) return left(noInputs);
  return right({ members: rest, inputs: Object.fromEntries([...Object.entries(others), ...inputs]), texts });
};

const noInputs = refusal(422, 'validation_error', '`inputs` is no object of names and values.');

const unknownMember = (known: ReadonlySet<string>): Refusal => {
  const names = [...known].map((name) => `\`${name}\``);
  return refusal(422, 'validation_error', `The body takes ${names.join(', ')}, and no other member.`);
};
