// The entry `promptwire/workflow`: read, convert and check workflows. Functions without I/O, for programs and pages alike.
export { describeInputs } from './workflow/edit/describe-inputs.js';
export { diffWorkflows } from './workflow/edit/diff-workflows.js';
export { ephemeralWorkflow } from './workflow/edit/ephemeral-workflow.js';
export type { EphemeralWorkflow } from './workflow/edit/ephemeral-workflow.js';
export { findInput } from './workflow/edit/find-input.js';
export { nameOutputs } from './workflow/outputs/name-outputs.js';
export type { NameableFile, NamedJob, NameOutputsOptions } from './workflow/outputs/name-outputs.js';
export type { OutputName } from './workflow/outputs/output-name.js';
export { outputsByTitle } from './workflow/edit/outputs-by-title.js';
export { listedModels } from './workflow/preflight/listed-models.js';
export { nodesOf } from './workflow/edit/nodes-of.js';
export { setKnownInput as setInput } from './workflow/edit/set-known-input.js';
export { paidNodes } from './workflow/preflight/paid-nodes.js';
export { preflightReport } from './workflow/preflight/preflight-report.js';
export { workflowAsChecked } from './workflow/preflight/replace-classes.js';
export { template } from './workflow/edit/template.js';
export { applyFixes } from './workflow/validate/apply-fixes.js';
export { blocksSubmission } from './workflow/validate/blocks-submission.js';
export { readDefinition, readInputs } from './workflow/definitions.js';
export { parseExactJson, writeExactJson } from './core/protocol/json/exact-json.js';
export { readGraph } from './workflow/read-graph.js';
export { toApiWorkflow } from './workflow/convert/to-api-workflow.js';
export { validateWorkflow } from './workflow/validate/validate-workflow.js';
export { verdictOf } from './workflow/validate/verdict-of.js';
export { workflowIn } from './workflow/metadata/workflow-in.js';

export { graph } from './workflow/build/graph.js';
export type { ArgumentsOf, GraphBuilder, GraphMembers, NodeOf } from './workflow/build/graph.js';
export type {
  BuiltNode,
  Input,
  Inputs,
  ListOutput,
  Literal,
  NodeOptions,
  Output,
  UnknownNode,
} from './workflow/build/output.js';
export type { ClassDefinition, InputDefinition, NodeDefinitions } from './workflow/definitions.js';
export type { Conversion, ConversionOptions, NodeOrigin } from './workflow/convert/conversion.js';
export type { UiWorkflow } from './workflow/convert/ui-workflow.js';
export type { VirtualNode } from './workflow/convert/node-kind.js';
export type { EmbeddedJson } from './workflow/metadata/findings.js';
export type { FieldControl, FormField } from './workflow/edit/form-field.js';
export type { InputPlace } from './workflow/edit/find-input.js';
export type { InputTarget, InvalidTarget, NodeTarget } from './workflow/edit/target.js';
export type { OutputsByTitle } from './workflow/edit/outputs-by-title.js';
export type { TemplateOutput } from './workflow/edit/template-outputs.js';
export type { InvalidInputs, Template, TemplateField } from './workflow/edit/template.js';
export type { JsonSchema } from './workflow/edit/field-schema.js';
export type { LinkedOutput, NodeSummary } from './workflow/edit/nodes-of.js';
export type { SetKnownInputArguments as SetInputArguments } from './workflow/edit/set-known-input.js';
export type {
  InputValue,
  SpecValue,
  TemplateInputs,
  TemplateTarget,
  TemplateTargets,
  TemplateValue,
} from './workflow/edit/template-types.js';
export type {
  MissingClass,
  NamedModel,
  NeededUpload,
  NodePrice,
  PaidNode,
  Plan,
  PreflightReport,
  ReplacedNode,
} from './workflow/preflight/report.js';
export type { ModelFolders } from './workflow/preflight/models.js';
export type { PreflightFacts } from './workflow/preflight/facts.js';
export type { FileSource, RangedReader } from './workflow/metadata/source.js';
export type { Graph, InvalidGraph } from './workflow/read-graph.js';
export type { GraphSource } from './workflow/find-graphs.js';
export type { InputProblem, Problem } from './core/protocol/problem.js';
export type { ReadProblem, ReadProblemReason } from './workflow/metadata/stop-reading.js';
export type { Rules } from './workflow/validate/rules.js';
export type { ValidateOptions } from './workflow/validate/validate-workflow.js';
export type { Verdict } from './workflow/validate/verdict.js';
export type { WorkflowChange } from './workflow/edit/diff-workflows.js';
export type { Workflow, WorkflowNode } from './core/protocol/workflow.js';
export type {
  WorkflowFileFormat,
  WorkflowInFile,
  WorkflowInOptions,
} from './workflow/metadata/workflow-in.js';
