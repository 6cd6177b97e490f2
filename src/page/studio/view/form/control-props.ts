import type { ShownField } from '../../state/shown-inputs.js';

/** What each control of the form gets. */
export interface ControlProps {
  readonly field: ShownField;
  /** Names the control for its label. */
  readonly id: string;
  readonly set: (value: unknown) => void;
}
