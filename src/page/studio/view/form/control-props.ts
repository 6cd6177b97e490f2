import type { ShownField } from '../../state/shown-inputs.js';

/** The properties of each control of the form. */
export interface ControlProps {
  readonly field: ShownField;
  /** Names the control for its label. */
  readonly id: string;
  readonly set: (value: unknown) => void;
}
