import type { ClassDefinition, InputDefinition } from '../definitions.js';
import { kept } from '../kept.js';
import { objectOf } from '../values.js';

/** A widget of a node class and the entries of `widgets_values` that belong to it. */
export interface Widget {
  readonly name: string;
  /** `INT`, `COMBO`, …; what `widgetType` says, where it says something. */
  readonly type: string;
  readonly input: InputDefinition;
  /** Entries after the value that never reach the API: control words, the filter of a combo, buttons. */
  readonly entriesAfter: number;
  /** Whether the first of these entries is a control word. */
  readonly hasControl: boolean;
}

/** How the editor lays out a node class. */
export interface ClassPlan {
  /** In the order of `widgets_values`. */
  readonly widgets: readonly Widget[];
  /** By name; the widgets of a dynamic combo's options are not among them. */
  readonly widgetOf: (name: string | undefined) => Widget | undefined;
  /**
   * Its sockets as the editor orders them: plain ones, with those of `forceInput` among them, then those of widgets; none where
   * only the file knows them.
   */
  readonly declared: readonly InputDefinition[];
  /** Entries at the end of `widgets_values`: upload buttons and players. */
  readonly entriesAtEnd: number;
  /**
   * For each entry that files from before 1.16 have, whether it belongs to an input with `forceInput`; undefined if the
   * class has no such input.
   */
  readonly forcedEntries?: readonly unknown[];
}

/** Plans a class; the result is kept for as long as its definition is reachable. */
export const planOf = (definition: ClassDefinition): ClassPlan => kept(plans, definition, makePlan);

const plans = /* @__PURE__ */ new WeakMap<ClassDefinition, ClassPlan>();

const makePlan = ({ inputs }: ClassDefinition): ClassPlan => {
  const widgets = inputs.flatMap((input) => widgetOf(input) ?? []);
  const byName = new Map<string | undefined, Widget>(widgets.map((widget) => [widget.name, widget]));
  const sockets = inputs.filter(({ name }) => !byName.has(name));
  // These come and go with values and links.
  const isDynamic = inputs.some(({ type }) => /^COMFY_(?:AUTOGROW|DYNAMIC)/u.test(type));
  const entriesAtEnd = inputs.reduce((sum, { options }) => sum + entriesOfUpload(options), 0);
  return {
    widgets,
    widgetOf: (name) => byName.get(name),
    declared: isDynamic ? [] : [...sockets, ...widgets.map(({ input }) => input)],
    entriesAtEnd,
    ...(inputs.some(isForced) && {
      forcedEntries: [
        ...inputs.filter((input) => isForced(input) || byName.has(input.name)).flatMap(formerEntries),
        ...Array.from({ length: entriesAtEnd }),
      ],
    }),
  };
};

/** The widget of an input; undefined for a plain socket. */
export const widgetOf = (input: InputDefinition): Widget | undefined => {
  const { widgetType } = input.options;
  const type = typeof widgetType === 'string' ? widgetType : input.type;
  if (isForced(input) || !widgetTypes.test(type)) return undefined;
  const control = controlEntries(input, type);
  return {
    name: input.name,
    type,
    input,
    entriesAfter: control + remoteEntries(input, type),
    hasControl: control > 0,
  };
};

const widgetTypes =
  /^(?:INT|FLOAT|STRING|BOOLEAN|COMBO|COLORS?|MARKDOWN|TEXTAREA|CURVE|RANGE|CHART|GALLERIA|PAINTER|IMAGECOMPARE|BOUNDING_BOX(?:ES)?|IMAGEUPLOAD|AUDIOUPLOAD|AUDIO_UI|AUDIO_RECORD|WEBCAM|LOAD_3D(?:_ADVANCED)?|PREVIEW_3D|COMFY_DYNAMICCOMBO_V3)$/u;

const isForced = ({ group, options }: InputDefinition): boolean =>
  options['forceInput'] === true || (group === 'optional' && options['defaultInput'] === true);

/** The mode (`fixed`, `randomize`, …) after a number, and after a combo also the filter's text. */
const controlEntries = ({ name, options }: InputDefinition, type: string): number => {
  const control = options['control_after_generate'];
  const isAsked = control === true || (typeof control === 'string' && control !== '');
  if (type === 'COMBO') return isAsked ? 2 : 0;
  if (type === 'INT' && isSeed.test(name)) return control === false ? 0 : 1;
  return isAsked && (type === 'INT' || type === 'FLOAT') ? 1 : 0;
};

/** Also that of a dynamic combo, such as `mode.seed`. */
const isSeed = /^(?:.+\.)?(?:noise_)?seed$/u;

/** The switch for refreshing and the refresh button of a list that the editor fetches. */
const remoteEntries = ({ options }: InputDefinition, type: string): number => {
  const { remote } = options;
  if (type !== 'COMBO' || typeof remote !== 'object' || remote === null) return 0;
  return objectOf(remote)['refresh_button'] === true ? 2 : 1;
};

const entriesOfUpload = (options: InputDefinition['options']): number => {
  if (options['audio_upload'] === true) return 2;
  return ['image', 'video', 'animated_image'].some((name) => options[`${name}_upload`] === true) ? 1 : 0;
};

const formerEntries = (input: InputDefinition): readonly boolean[] => {
  const { control_after_generate: control = false } = input.options;
  return control === false ? [isForced(input)] : [isForced(input), false];
};
