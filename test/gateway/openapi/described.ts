import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** What a test knows of an answer. */
export interface Answered {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** Says what of an answer the description of a gateway does not have; undefined where all of it stands there. */
export type CheckAnswer = (method: string, pathname: string, answer: Answered) => string | undefined;

/**
 * Reads a description. Objects may have no members beside those that it names, so that a member that is not described is found; problem
 * details may.
 */
export const describedBy = (document: object): CheckAnswer => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const closed = closedSchemas(document) as Described;
  ajv.addSchema(closed, 'gateway');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `gateway#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  return (method, pathname, { status, contentType, text }) => {
    const path = Object.keys(closed.paths).find((one) => patternOf(one).test(pathname));
    const name = method.toLowerCase();
    const responses = closed.paths[path ?? '']?.[name]?.responses;
    if (path === undefined || responses === undefined) return undefined;
    const key = String(status) in responses ? String(status) : status >= 400 ? 'default' : undefined;
    if (key === undefined) return `the status ${status} of ${method} ${path}`;
    const { content } = responses[key] ?? {};
    const [type = ''] = (contentType ?? '').split(';');
    if (content === undefined) return text === '' ? undefined : `a body of ${status} of ${method} ${path}`;
    if (name === 'head') return undefined;
    const media = Object.keys(content).find(
      (one) => one === type || one === '*/*' || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
    );
    if (media === undefined) return `the type ${type} of ${method} ${path}`;
    const at = ['paths', path, name, 'responses', key, 'content', media, 'schema'].map(escaped).join('/');
    const validate = validatorOf(`/${at}`);
    const isWrong = valuesOf(type, text).some((value) => !validate(value));
    return isWrong ? `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}` : undefined;
  };
};

const valuesOf = (type: string, text: string): readonly unknown[] => {
  if (/[/+]json$/u.test(type)) return [JSON.parse(text)];
  if (type !== 'application/x-ndjson') return [];
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/gu, '[^/]+').replaceAll('.', String.raw`\.`)}$`, 'u');

const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

const closedSchemas = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((member) => closedSchemas(member));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, closedSchemas(member, key)]),
  );
  const isObject = members['type'] === 'object' && 'properties' in members;
  return isObject && !('additionalProperties' in members) && name !== 'ProblemDetails'
    ? { ...members, additionalProperties: false }
    : members;
};
