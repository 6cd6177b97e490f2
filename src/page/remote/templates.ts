import { isJsonObject } from '../../core/protocol/json/json.js';
import { pathPart } from '../../core/protocol/path-part.js';
import type { Remote } from './remote.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A template that the caller may run by `remote.runTemplate`. */
export interface RemoteTemplate {
  /** Its name. */
  readonly name: string;
  /** Whether the caller saved it; else it is the gateway's. */
  readonly own: boolean;
  /** The JSON Schema of its inputs; the label of an input is its `title`. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** Of an own one: what people call it. */
  readonly title?: string;
  /** Of an own one: what it is for. */
  readonly description?: string;
  /** Of an own one: what its inputs set, in the order of its form. */
  readonly inputs?: Readonly<
    Record<
      string,
      { readonly id: string; readonly input: string; readonly optional?: boolean; readonly label?: string }
    >
  >;
  /** Of an own one: when it was first saved, in milliseconds since 1970. */
  readonly createdAt?: number;
  /** Of an own one: when it was last saved, likewise. */
  readonly updatedAt?: number;
  /** Of an own one that `readTemplate` gives: what it runs. */
  readonly workflow?: Workflow;
  /** Of an own one that `readTemplate` gives: the editor's file, where it was saved with one. */
  readonly ui?: Readonly<Record<string, unknown>>;
}

/** What an input of a template sets: its name, such as `Positive.text`, or the node by id, title or class, and the input. */
export type NewTemplateInput =
  | string
  | {
      /** The id of the node. */
      readonly id?: string;
      /** The title of the node in the editor. */
      readonly title?: string;
      /** The class of the node. */
      readonly class?: string;
      /** The name of the input, as in `inputs`. */
      readonly input: string;
      /** Whether a call may leave it out; the workflow's own value stays then. */
      readonly optional?: boolean;
      /** What forms call it; up to 200 characters. */
      readonly label?: string;
    };

/** What `saveTemplate` takes. */
export interface NewTemplate {
  /** In API format; the values of the inputs that a call leaves out. */
  readonly workflow: Workflow;
  /** What each input sets, by the template's own names, in the order of its form. */
  readonly inputs: Readonly<Record<string, NewTemplateInput>>;
  /** What people call it; up to 200 characters. */
  readonly title?: string | undefined;
  /** What it is for; up to 5000 characters. */
  readonly description?: string | undefined;
  /** The editor's file of the workflow, to draw it as its author did. */
  readonly ui?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Lists the templates that the caller may run: the gateway's, then its own by their names.
 *
 * Rejects with a `ServiceError`. It is a function, so that a page without it loads none of it; so are the others of templates.
 *
 * @example
 * ```ts
 * import { deleteTemplate, type Remote, saveTemplate, templates } from 'promptwire/remote';
 * import type { Workflow } from 'promptwire';
 *
 * const keep = async (remote: Remote, workflow: Workflow) => {
 *   await saveTemplate(remote, 'portrait', {
 *     workflow,
 *     inputs: { prompt: { title: 'Positive', input: 'text', label: 'What to paint' } },
 *   });
 *   const own = (await templates(remote)).filter((template) => template.own);
 *   remote.runTemplate('portrait', { prompt: 'a lighthouse' }).subscribe();
 *   return { own, forget: () => deleteTemplate(remote, 'portrait') };
 * };
 * ```
 */
export const templates = ({ ask }: Pick<Remote, 'ask'>): Promise<readonly RemoteTemplate[]> =>
  ask({ path: '/templates' }, (answer) => {
    const listed = isJsonObject(answer) ? answer['templates'] : undefined;
    if (!Array.isArray(listed)) return undefined;
    const read = listed.map(readOne);
    return read.every((one) => one !== undefined) ? read : undefined;
  });

/** Reads one of the templates; an own one with its workflow. Rejects with a `ServiceError`, `NotFound` for an unknown name. */
export const readTemplate = ({ ask }: Pick<Remote, 'ask'>, name: string): Promise<RemoteTemplate> =>
  ask({ path: pathOf(name) }, readOne);

/**
 * Saves a template in place of the caller's one of this name.
 *
 * Its schema has the bounds and choices of the service's node classes, as they are now. Rejects with a `ServiceError`: `BadRequest` where an
 * input sets nothing of the workflow (`invalid_template`), where the gateway has a template of this name (`template_name_taken`), and where
 * the caller has as many as it may (`too_many_templates`).
 */
export const saveTemplate = (
  { ask }: Pick<Remote, 'ask'>,
  name: string,
  template: NewTemplate,
): Promise<RemoteTemplate> => ask({ method: 'PUT', path: pathOf(name), json: template }, readOne);

/**
 * Forgets a template that the caller saved; its jobs stay. Rejects with a `ServiceError`: `NotFound` for an unknown name,
 * `Forbidden` for one of the gateway.
 */
export const deleteTemplate = async ({ ask }: Pick<Remote, 'ask'>, name: string): Promise<void> => {
  await ask({ method: 'DELETE', path: pathOf(name) }, (answer) =>
    isJsonObject(answer) && answer['deleted'] === true ? true : undefined,
  );
};

const pathOf = (name: string): string => `/templates/${pathPart(name)}`;

/** A gateway of an earlier version has the operator's alone, and does not say so. */
const readOne = (value: unknown): RemoteTemplate | undefined =>
  isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['jsonSchema'])
    ? ({ own: false, ...value } as unknown as RemoteTemplate)
    : undefined;
