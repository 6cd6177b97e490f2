import type { InputTarget } from './target.js';

/** An input that a template sets: its name, such as `Positive.text`, or a target, which may be `optional`. */
export type TemplateTarget =
  | string
  | (InputTarget & {
      /** Whether a call may leave it out; the workflow's own value stays then. */
      readonly optional?: boolean;
    });

/** What each input of a template sets, by the template's own names. */
export type TemplateTargets = Readonly<Record<string, TemplateTarget>>;

/**
 * The inputs of a template: one member for each name. Where a target names the class (`KSampler.seed`) and the type of the
 * definitions is literal, the members have the types of the class; else they are `unknown`, and the template checks them.
 */
export type TemplateInputs<Targets extends TemplateTargets, Definitions = unknown> = {
  readonly [
    Name in keyof Targets as Targets[Name] extends { readonly optional: true } ? never : Name
  ]: TemplateValue<Targets[Name], Definitions>;
} & {
  readonly [
    Name in keyof Targets as Targets[Name] extends { readonly optional: true } ? Name : never
  ]?: TemplateValue<Targets[Name], Definitions>;
};

/** The type of the value that a target takes; `unknown` where its class or its type can't be seen. */
export type TemplateValue<Target, Definitions> = Target extends `${infer Class}.${infer Input}`
  ? InputValue<Definitions, Class, Input>
  : Target extends { readonly class: infer Class extends string; readonly input: infer Input extends string }
    ? InputValue<Definitions, Class, Input>
    : unknown;

/** The type of the value of an input of a class, by definitions of a literal type. */
export type InputValue<Definitions, Class extends string, Input extends string> =
  Definitions extends Readonly<Record<Class, { readonly input: infer Groups }>>
    ? Groups extends { readonly required: Readonly<Record<Input, infer Spec>> }
      ? SpecValue<Spec>
      : Groups extends { readonly optional: Readonly<Record<Input, infer Spec>> }
        ? SpecValue<Spec>
        : unknown
    : unknown;

/** The type of the values of an input that is specified as `[type]` or `[type, options]`. */
export type SpecValue<Spec> = Spec extends readonly [infer Type, ...unknown[]]
  ? Type extends 'INT'
    ? number | bigint
    : Type extends 'FLOAT'
      ? number
      : Type extends 'STRING'
        ? string
        : Type extends 'BOOLEAN'
          ? boolean
          : Type extends readonly (infer Choice)[]
            ? Spec extends readonly [unknown, { readonly image_upload: true }]
              ? string
              : Choice
            : unknown
  : unknown;
