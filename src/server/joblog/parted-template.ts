import type { SavedTemplate, TemplateBody, TemplateHead } from './template-store.js';

/** The parts of a template that are kept apart, so that a list reads no workflow. */
export const parted = ({
  workflow,
  ui,
  ...head
}: SavedTemplate): { readonly head: TemplateHead; readonly body: TemplateBody } => ({
  head,
  body: { workflow, ...(ui !== undefined && { ui }) },
});
