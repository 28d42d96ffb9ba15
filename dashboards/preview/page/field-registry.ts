import {
  displayNameOverrideProcessor,
  FieldConfigOptionsRegistry,
  type FieldConfigPropertyItem,
  identityOverrideProcessor,
  numberOverrideProcessor,
  standardTransformers,
  standardTransformersRegistry,
  type TransformerRegistryItem,
} from '@grafana/data';

/** Grafana fills its own registry when it starts; outside it, the properties that boards set have to be named. */
const PROPERTIES: ReadonlyArray<readonly [id: string, process: unknown]> = [
  ['unit', identityOverrideProcessor],
  ['min', numberOverrideProcessor],
  ['max', numberOverrideProcessor],
  ['decimals', numberOverrideProcessor],
  ['displayName', displayNameOverrideProcessor],
  ['noValue', identityOverrideProcessor],
  ['color', identityOverrideProcessor],
  ['thresholds', identityOverrideProcessor],
  ['mappings', identityOverrideProcessor],
  ['links', identityOverrideProcessor],
];
const CUSTOM = [
  ...[
    'lineWidth',
    'fillOpacity',
    'gradientMode',
    'showPoints',
    'drawStyle',
    'stacking',
    'axisPlacement',
    'axisSoftMax',
    'spanNulls',
  ],
  ...['align', 'inspect', 'width', 'cellOptions', 'hideFrom', 'scaleDistribution', 'thresholdsStyle', 'lineStyle'],
];

const item = (id: string, path: string, process: unknown, isCustom: boolean) =>
  ({
    id,
    path,
    name: id,
    description: '',
    isCustom,
    process,
    shouldApply: () => true,
  }) as unknown as FieldConfigPropertyItem;

export const fieldRegistry = new FieldConfigOptionsRegistry(() => [
  ...PROPERTIES.map(([id, process]) => item(id, id, process, false)),
  ...CUSTOM.map((id) => item(`custom.${id}`, id, identityOverrideProcessor, true)),
]);

standardTransformersRegistry.setInit(() => {
  const { organizeFieldsTransformer: transformation } = standardTransformers;
  const { id, name } = transformation;
  return [{ id, name, transformation: async () => transformation } as unknown as TransformerRegistryItem];
});
