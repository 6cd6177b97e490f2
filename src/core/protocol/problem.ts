/**
 * Something that is wrong, or that people regret, about a workflow.
 *
 * `type` is stable and meant for programs, `message` is one sentence for people. Types that the engine has a word for
 * (`required_input_missing`, `value_not_in_list`, …) are the engine's own.
 */
export interface Problem {
  /** The node, by its id in the API format (`"8:5"` inside a subgraph). */
  readonly nodeId?: string;
  /** The input of that node. */
  readonly input?: string;
  /** What kind of problem it is, such as `value_not_in_list`. */
  readonly type: string;
  /** An `error` stops what was asked for: a conversion gives no workflow, the engine refuses the node. */
  readonly severity: 'error' | 'warning';
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** A value or a name that makes it right, and is no other thing than what is there. */
  readonly fix?: unknown;
  /** What may have been meant, which only a person can tell: `applyFixes` leaves it alone. */
  readonly suggestion?: unknown;
  /** The pack that a class which the server lacks is of: as the file names it, or perhaps, as the name of the class tells. */
  readonly pack?: string;
  /**
   * True if only the server can tell, because its files may have changed since it described its classes, or because a class
   * checks the value itself.
   */
  readonly serverOnly?: true;
}

/** Something that is wrong with one input of a template; `nodeId` and `input` are what it sets. */
export interface InputProblem extends Problem {
  /** The template's own name of the input. */
  readonly name: string;
}
