import { answers, type Operations, takes } from './operation.js';
import {
  deletedTemplate,
  templateItem,
  templateList,
  templateRegistration,
  wholeTemplate,
} from '../contract/templates.js';

/** The operations on templates. */
export const templateOperations: Operations = {
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
