import type { CallerLimits } from '../options.js';
import { limitsOf } from '../http/caller-limits.js';
import type { FindDefinitions } from './definition-operations.js';
import { isLeft } from '../../../core/protocol/either.js';
import { json } from '../http/respond.js';
import { type KnownTemplates, shownTemplate } from '../saved-templates/known-templates.js';
import type { NodeDefinitions } from '../../../workflow/definitions.js';
import { parted } from '../../joblog/parted-template.js';
import { readRegistration } from '../saved-templates/read-registration.js';
import { refusal } from '../v2/refusal.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import { templateNotFound } from '../saved-templates/template-refusals.js';
import { templateName } from '../contract/templates.js';
import { turnForLarge } from '../../joblog/turn-for-large.js';
import type { Clock } from '../../../core/platform/platform.js';
import { answers, type Operations, takes } from '../openapi/operation.js';
import {
  deletedTemplate,
  templateItem,
  templateList,
  templateRegistration,
  wholeTemplate,
} from '../contract/templates.js';

/** The templates, the node classes and the limits behind the operations on saved templates. */
export interface SavedTemplateContext {
  readonly templates: KnownTemplates;
  readonly definitions: FindDefinitions;
  /** Those of callers that have none of their own. */
  readonly limits: Partial<CallerLimits> | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly clock: Pick<Clock, 'after'>;
}

/** The operations on the templates that callers save. */
export const savedTemplateOperations = ({
  templates,
  definitions,
  limits,
  now,
  clock,
}: SavedTemplateContext) => {
  const { store, ofGateway } = templates;
  return {
    show: async (call: RouteCall): Promise<Response | Refusal> => {
      const { name = '' } = call.params;
      const saved = await templates.saved(call, name);
      // It has been read in this turn, and is written in another one.
      await turnForLarge(clock, saved);
      if (saved !== undefined) return json(shownTemplate(saved));
      const other = ofGateway(name);
      return other === undefined
        ? templateNotFound
        : json({ name, jsonSchema: other.jsonSchema, own: false });
    },
    put: async ({ caller, params: { name = '' }, json: read }: RouteCall): Promise<Response | Refusal> => {
      if (!templateName.is(name)) return wrongName;
      if (ofGateway(name) !== undefined) return nameTaken;
      const registration = readRegistration(await read(), await knownClasses(definitions));
      await turnForLarge(clock, registration);
      if (isLeft(registration)) return registration.left;
      const bounds = limitsOf(limits, caller.limits);
      const known = await store.get(caller.name, name);
      const updatedAt = now();
      const saved = {
        ...{ owner: caller.name, name, ...registration.right },
        ...{ createdAt: known?.createdAt ?? updatedAt, updatedAt },
      };
      const put = await store.put(saved, { maxTemplates: bounds.templates, maxSize: bounds.templateBytes });
      if (put._tag === 'full') return noRoom[put.of](bounds);
      return json(shownTemplate(parted(saved).head), put.isNew ? 201 : 200);
    },
    remove: async ({ caller, params: { name = '' } }: RouteCall): Promise<Response | Refusal> => {
      if (await store.remove(caller.name, name)) return json({ name, deleted: true });
      return ofGateway(name) === undefined ? templateNotFound : ofTheGateway;
    },
  };
};

/** The node classes; if the service gives none now, the schema has no bounds and choices. */
const knownClasses = async (definitions: FindDefinitions): Promise<NodeDefinitions | undefined> =>
  definitions?.().then(
    ({ classes }) => classes,
    () => undefined,
  );

const wrongName: Refusal = refusal(
  422,
  'invalid_name',
  'A template’s name has 1 to 100 characters, without slashes, control characters and blanks at its ends.',
);

const nameTaken: Refusal = refusal(
  409,
  'template_name_taken',
  'A template of the gateway has this name: save yours under another one.',
);

const ofTheGateway: Refusal = refusal(
  403,
  'template_of_gateway',
  'This template is the gateway’s, and its operator’s to remove.',
);

const noRoom: Readonly<Record<'templates' | 'size' | 'all', (limits: CallerLimits) => Refusal>> = {
  templates: ({ templates }) =>
    full(
      `You have ${templates} templates, which is your limit (limits.templates of the gateway): delete one.`,
    ),
  size: ({ templateBytes }) =>
    full(
      `Your templates would have more than ${templateBytes} bytes, which is your limit (limits.templateBytes of the gateway): delete one, or ` +
        'save this one without its pictures.',
    ),
  all: () =>
    full(
      'All callers together have as many templates as this gateway keeps: its operator can raise maxTemplates.',
    ),
};

const full = (message: string): Refusal => refusal(409, 'too_many_templates', message);

/** What OpenAPI tells of these operations. */
export const templateDescriptions: Operations = {
  'GET /templates': {
    ...{
      id: 'listTemplates',
      tag: 'Templates',
      summary: 'List the templates of the gateway and your own, and the schemas of their inputs',
    },
    answers: { 200: answers('The templates.', templateList) },
  },
  'GET /templates/:name': {
    ...{ id: 'getTemplate', tag: 'Templates', summary: 'Show a template; one of your own with its workflow' },
    answers: { 200: answers('The template.', wholeTemplate) },
    refusals: [404],
  },
  'PUT /templates/:name': {
    ...{ id: 'putTemplate', tag: 'Templates', summary: 'Save a template of your own' },
    body: takes(templateRegistration),
    answers: {
      200: answers('It replaces the one that was there.', templateItem),
      201: answers('The template.', templateItem),
    },
    refusals: [400, 409, 413, 422],
  },
  'DELETE /templates/:name': {
    ...{ id: 'deleteTemplate', tag: 'Templates', summary: 'Delete a template of your own' },
    answers: { 200: answers('It is gone.', deletedTemplate) },
    refusals: [403, 404],
  },
};
