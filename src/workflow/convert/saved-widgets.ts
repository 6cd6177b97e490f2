import type { Widget } from './widget-plan.js';

/** A widget of a node, as its file has it. */
export interface SavedWidget {
  readonly name: string;
  /** Undefined if the file has none. */
  readonly value: unknown;
  /** Undefined if the definitions lack the class. */
  readonly widget?: Widget | undefined;
  /** What stands where the editor keeps a control word. */
  readonly control?: unknown;
}

/** The widgets of a node, and the values that belong to none of them. */
export interface SavedWidgets {
  readonly widgets: readonly SavedWidget[];
  readonly others: readonly unknown[];
}
