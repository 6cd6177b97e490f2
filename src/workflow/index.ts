// The entry `promptwire/workflow`: read, convert and check workflows. Functions without I/O, for programs and pages alike.
export { describeInputs } from './edit/describe-inputs.js';
export { diffWorkflows } from './edit/diff-workflows.js';
export { findInput } from './edit/find-input.js';
export { nodesOf } from './edit/nodes-of.js';
export { setKnownInput as setInput } from './edit/set-known-input.js';
export { template } from './edit/template.js';
export { applyFixes } from './validate/apply-fixes.js';
export { blocksSubmission } from './validate/blocks-submission.js';
export { readDefinition, readInputs } from './definitions.js';
export { parseExactJson, writeExactJson } from '../protocol/json/exact-json.js';
export { readGraph } from './read-graph.js';
export { toApiWorkflow } from './convert/to-api-workflow.js';
export { validateWorkflow } from './validate/validate-workflow.js';
export { verdictOf } from './validate/verdict-of.js';
export { workflowIn } from './metadata/workflow-in.js';

export { graph } from './build/graph.js';
export type { ArgumentsOf, GraphBuilder, GraphMembers, NodeOf } from './build/graph.js';
export type {
  BuiltNode,
  Input,
  Inputs,
  ListOutput,
  Literal,
  NodeOptions,
  Output,
  UnknownNode,
} from './build/output.js';
export type { ClassDefinition, InputDefinition, NodeDefinitions } from './definitions.js';
export type { Conversion, ConversionOptions, NodeOrigin, UiWorkflow } from './convert/ui-workflow.js';
export type { VirtualNode } from './convert/node-kind.js';
export type { EmbeddedJson } from './metadata/findings.js';
export type { FieldControl, FormField } from './edit/form-field.js';
export type { InputPlace } from './edit/find-input.js';
export type { InputTarget, InvalidTarget, NodeTarget } from './edit/target.js';
export type { InvalidInputs, Template, TemplateField } from './edit/template.js';
export type { JsonSchema } from './edit/field-schema.js';
export type { LinkedOutput, NodeSummary } from './edit/nodes-of.js';
export type { SetKnownInputArguments as SetInputArguments } from './edit/set-known-input.js';
export type {
  InputValue,
  SpecValue,
  TemplateInputs,
  TemplateTarget,
  TemplateTargets,
  TemplateValue,
} from './edit/template-types.js';
export type { FileSource, RangedReader } from './metadata/source.js';
export type { Graph, InvalidGraph } from './read-graph.js';
export type { GraphSource } from './find-graphs.js';
export type { InputProblem, Problem } from '../protocol/problem.js';
export type { ReadProblem, ReadProblemReason } from './metadata/stop-reading.js';
export type { Rules } from './validate/rules.js';
export type { ValidateOptions } from './validate/validate-workflow.js';
export type { Verdict } from './validate/verdict-of.js';
export type { WorkflowChange } from './edit/diff-workflows.js';
export type { Workflow, WorkflowNode } from '../protocol/workflow.js';
export type { WorkflowFileFormat, WorkflowInFile, WorkflowInOptions } from './metadata/workflow-in.js';
