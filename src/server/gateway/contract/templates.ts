import { annotated } from './annotated.js';
import { epochMs, object, request } from './shapes.js';
import { shownText, workflow } from './requests.js';
import * as t from 'io-ts';

/** The name of a template that a caller saves: it stands in addresses. */
export const templateName = annotated(t.string, {
  pattern:
    '^(?! |.* $|\\.{1,2}$)[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069/\\\\]{1,100}$',
});

const shortText = annotated(t.string, { maxLength: 200, pattern: shownText });

const savedInput = request(
  'TemplateInput',
  { input: t.string },
  { id: t.string, title: t.string, class: t.string, optional: t.boolean, label: shortText },
);

const ui = annotated(t.UnknownRecord, { description: 'The file as the editor saves it, to draw it.' });

const inputs = t.record(
  t.string,
  t.union([
    annotated(t.string, { description: 'The name of an input, such as `Positive.text`.' }),
    savedInput,
  ]),
);

/** `PUT /templates/:name`. */
export const templateRegistration = request(
  'TemplateRegistration',
  { workflow, inputs },
  { title: shortText, description: annotated(t.string, { maxLength: 5_000 }), ui },
);

const shownInputs = t.record(
  t.string,
  object('SavedInput', { id: t.string, input: t.string }, { optional: t.boolean, label: t.string }),
);

const required = { name: t.string, own: t.boolean, jsonSchema: t.UnknownRecord };
const ofOwn = {
  ...{ title: t.string, description: t.string, inputs: shownInputs },
  ...{ createdAt: epochMs, updatedAt: epochMs },
};

/** A template in a list; the members beyond the first are those of one that the caller saved. */
export const templateItem = object('Template', required, ofOwn);

/** A template with its workflow, where the caller saved it. */
export const wholeTemplate = object('WholeTemplate', required, { ...ofOwn, workflow, ui });

/** The templates that a caller may run. */
export const templateList = t.type({ templates: t.readonlyArray(templateItem) }, 'Templates');

/** That a template is gone. */
export const deletedTemplate = t.type({ name: t.string, deleted: t.literal(true) }, 'DeletedTemplate');
