/**
 * An output of a node in a graph that is being built; it goes into inputs of its type.
 *
 * `T` is the type as the service names it, such as `IMAGE`. An output whose type the definitions leave open is an
 * `Output<never>`, which goes into every input.
 */
export interface Output<out T extends string> {
  /** The id of its node. */
  readonly nodeId: string;
  /** Its position among the outputs of the node, from 0. */
  readonly slot: number;
  /** For the compiler only; no output has it. */
  readonly '~type': () => T;
}

/** An output that is a list of values: the service runs what takes it once for each value. */
export interface ListOutput<out T extends string> extends Output<T> {
  /** For the compiler only; no output has it. */
  readonly '~list'?: true;
}

/**
 * What an input takes besides literals: an {@link Output} of one of its types `T`.
 *
 * `Name` is the input's, which the errors of the compiler then quote: `Input<"model", "MODEL">`.
 */
export interface Input<Name extends string, out T extends string> extends Output<T> {
  /** For the compiler only; no output has it. */
  readonly '~input'?: Name;
}

/** A value that a workflow holds as it stands: JSON, with integers of any size. */
export type Literal =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly Literal[]
  | {
      /** A member of the object. */
      readonly [name: string]: Literal;
    };

/** A node in a graph that is being built. The declarations of a class add its outputs, by name and by slot. */
export interface BuiltNode {
  /** Its id in the workflow. */
  readonly id: string;
}

/** A node of a class without declarations. */
export interface UnknownNode extends BuiltNode {
  /** One of its outputs, by slot; of any type unless the caller names one. */
  readonly output: {
    (slot: number): Output<never>;
    <T extends string>(slot: number, type: T): Output<T>;
  };
}

/** What a node has besides its inputs. */
export interface NodeOptions {
  /** Its id; default the next integer that is free, from 1. */
  readonly id?: string | undefined;
  /** Its title, for people and for names of files. */
  readonly title?: string | undefined;
  /** Inputs that its class does not declare. */
  readonly extra?: Inputs | undefined;
}

/** Inputs by name, of any type; an undefined one is left out. */
export type Inputs = Readonly<Record<string, Literal | Output<string> | undefined>>;
