import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import {
  InstrumentationBase,
  InstrumentationNodeModuleDefinition,
  InstrumentationNodeModuleFile,
} from '@opentelemetry/instrumentation';
import { readSettings } from '../config/read-settings.ts';
import { processContext } from '../context.ts';
import { applySettings } from '../observe/apply-settings.ts';
import { guard } from '../observe/guard.ts';
import { isEnabled } from '../observe/is-enabled.ts';
import { observeCall } from '../observe/observe-call.ts';
import type { ObserveCall } from '../observe/seen-call.ts';
import { SCOPE_NAME } from '../semconv.ts';
import { VERSION } from '../version.ts';
import { type ClassPatches, classPatches } from './class-patches.ts';
import type { ReasoningInstrumentationConfig } from './config.ts';
import { offerImportedModules, offerRequiredModules } from './loaded-modules.ts';
import type { SupportedSdk } from './supported-sdk.ts';
import { SUPPORTED_SDKS } from './supported-sdks.ts';
import type { Found } from './target.ts';
import { type UnseenCalls, unseenCalls } from './unseen-calls.ts';

/** What one instance holds. Not in class fields: the base constructor calls `init` and `enable` before those exist. */
interface Parts {
  readonly patches: ClassPatches;
  readonly unseen: UnseenCalls;
  stopImports?: () => void;
}

/**
 * Observes the model calls of an application: put it among the instrumentations of a `NodeSDK`, or register it by hand.
 * `disable()` puts the SDK's own methods back; calls that are under way finish as they would have.
 */
export class ReasoningInstrumentation extends InstrumentationBase<ReasoningInstrumentationConfig> {
  declare private parts: Parts | undefined;

  constructor(config: ReasoningInstrumentationConfig = {}) {
    super(SCOPE_NAME, VERSION, config);
  }

  protected override init(): InstrumentationNodeModuleDefinition[] {
    // Here, since the base constructor calls `enable` next.
    applySettings(readSettings(this.getConfig()));
    const aliases = Object.entries(this.getConfig().aliases ?? {});
    return SUPPORTED_SDKS.flatMap((sdk) => {
      const names = aliases.filter(([, name]) => name === sdk.name).map(([alias]) => alias);
      return [sdk.name, ...names].map((name) => this.definition(sdk, name));
    });
  }

  /** Does nothing where everything is switched off (`disabled`, REASONING_OTEL_DISABLED): not even modules are hooked. */
  override enable(): void {
    if (!isEnabled(processContext().settings)) return;
    super.enable();
    const { patches, unseen } = this.state();
    patches.enable();
    offerRequiredModules(patches.offer);
    this.state().stopImports ??= offerImportedModules(patches.offer);
    unseen.start();
  }

  override disable(): void {
    super.disable();
    const parts = this.state();
    parts.patches.disable();
    parts.stopImports?.();
    delete parts.stopImports;
    parts.unseen.stop();
  }

  override setTracerProvider(provider: TracerProvider): void {
    super.setTracerProvider(provider);
    // The global one is looked up when needed: it may be registered, or replaced, later.
    if (provider !== trace.getTracerProvider()) processContext().settings.tracerProvider = provider;
  }

  override setMeterProvider(provider: MeterProvider): void {
    super.setMeterProvider(provider);
    if (provider !== metrics.getMeterProvider()) processContext().settings.meterProvider = provider;
  }

  /** Who gets to know of a call. */
  protected observer(): ObserveCall {
    return observeCall;
  }

  /** Every version, so that one outside the range can be named; `ClassPatches` decides. */
  private definition(sdk: SupportedSdk, packageName: string): InstrumentationNodeModuleDefinition {
    const files = sdk.files.flatMap(({ path, find }) =>
      ['js', 'mjs'].map(
        (extension) =>
          new InstrumentationNodeModuleFile(
            `${packageName}/${path}.${extension}`,
            ['*'],
            (exports: unknown, version) => this.offer(exports, version, find),
            () => undefined,
          ),
      ),
    );
    const definition = new InstrumentationNodeModuleDefinition(
      packageName,
      ['*'],
      (exports: unknown, version) => this.offer(exports, version, sdk.ofPackage),
      undefined,
      files,
    );
    return Object.assign(definition, { includePrerelease: true });
  }

  /** A patch that throws would surface as the error of the application's `import`. */
  private offer(exports: unknown, version: string | undefined, find: (exports: unknown) => readonly Found[]): unknown {
    guard('patching a module', () => this.state().patches.offer(find(exports), version));
    return exports;
  }

  private state(): Parts {
    if (!this.parts) {
      const observe: ObserveCall = (seen) => this.observer()(seen);
      this.parts = { patches: classPatches(observe), unseen: unseenCalls() };
    }
    return this.parts;
  }
}
