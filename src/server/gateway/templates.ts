import type { Workflow } from '../../core/protocol/workflow.js';

/** A template as the gateway calls it; one of `promptwire/workflow` is one. */
export interface GatewayTemplate {
  /** The workflow with these values; Left with every problem where one is wrong, missing or too many. */
  (inputs: never): TemplateResult;
  /** The JSON Schema of the inputs. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

/** What a template makes of inputs. */
export type TemplateResult =
  | { readonly _tag: 'Right'; readonly right: Workflow }
  | {
      readonly _tag: 'Left';
      readonly left: Error & {
        readonly problems: readonly {
          readonly name: string;
          readonly type: string;
          readonly message: string;
        }[];
      };
    };

/** Named workflows on the server, so that a page sends inputs and never a graph. `template` of `promptwire/workflow` makes them. */
export type GatewayTemplates = Readonly<Record<string, GatewayTemplate>>;
