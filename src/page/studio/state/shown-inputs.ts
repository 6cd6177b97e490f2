import type { FormField } from '../../../workflow.js';

/** An input that a form shows, with the label of its author. */
export interface ShownInput {
  readonly nodeId: string;
  readonly input: string;
  readonly label: string;
}

/** A field of the form, with the label of its author. */
export interface ShownField extends FormField {
  readonly shownLabel: string;
}

/** Names an input among those of its workflow. */
export const keyOf = ({ nodeId, input }: Pick<ShownInput, 'nodeId' | 'input'>): string =>
  `${nodeId} ${input}`;

/** Whether a form has a control for it: inputs that are linked get their value from another node. */
export const isTurnable = ({ control, link }: FormField): boolean =>
  control !== 'other' && link === undefined;

/** The fields that the author shows, in the order of the author; without an author all that can be turned. */
export const shownFields = (
  fields: readonly FormField[],
  shown: readonly ShownInput[] | undefined,
): readonly ShownField[] => {
  if (shown === undefined) {
    return fields.filter(isTurnable).map((field) => ({ ...field, shownLabel: field.label }));
  }
  const known = new Map(fields.map((field) => [keyOf(field), field]));
  return shown.flatMap((one) => {
    const field = known.get(keyOf(one));
    return field === undefined ? [] : [{ ...field, shownLabel: one.label }];
  });
};
