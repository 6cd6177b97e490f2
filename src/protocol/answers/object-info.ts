/** One node class of `object_info`; unknown members are kept. */
export interface NodeInfo {
  readonly input: {
    readonly required?: Readonly<Record<string, readonly unknown[]>>;
    readonly optional?: Readonly<Record<string, readonly unknown[]>>;
    readonly hidden?: Readonly<Record<string, unknown>>;
  };
  readonly output: readonly unknown[];
  readonly output_node: boolean;
  readonly name: string;
  readonly display_name?: string | null;
  readonly category: string;
  readonly description?: string;
  readonly [more: string]: unknown;
}

/** Class name → definition, as sent; each entry was checked for the members that the interface promises. */
export type ObjectInfo = Readonly<Record<string, NodeInfo>>;
