import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage as transformations } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

type ClassOf<Body extends object> = new () => Body;
type Fields = Record<string, unknown>;
type Check = (object: object, value: unknown) => boolean;

interface Property {
  name: string;
  /** Whether the checks apply. */
  conditions: Check[];
  checks: Check[];
  /** The rules of the objects that it holds. */
  nested: CompiledValidation<object> | undefined;
}

const marked = new Set<ClassOf<object>>();

/** Bodies and queries of this class are read by {@link CompiledValidation} first. */
export const Compiled = (): ClassDecorator => (type) => void marked.add(type as unknown as ClassOf<object>);

/**
 * The rules of a DTO class, as class-validator has them by its decorators, with all that does not depend on the body
 * looked up beforehand. It only ever says yes: what it does not accept is left to class-validator, which also says why.
 * A class with a rule that it does not know cannot be compiled, so that none is passed over.
 */
export class CompiledValidation<Body extends object> {
  private static readonly all = new Map<Function, CompiledValidation<object>>();
  private readonly properties = new Map<string, Property>();

  private constructor(private readonly type: ClassOf<Body>) {}

  /** To be called at the start. @throws Error when a class is marked as {@link Compiled} and cannot be */
  static compileMarked(): void {
    for (const type of marked) this.of(type);
  }

  /** The rules of a class that is marked as {@link Compiled}. */
  static find(type: Function): CompiledValidation<object> | null {
    return marked.has(type as ClassOf<object>) ? this.of(type as ClassOf<object>) : null;
  }

  /** @throws Error for a rule that it does not know, in the class or one that is nested in it */
  static of<Body extends object>(type: ClassOf<Body>): CompiledValidation<Body> {
    const known = this.all.get(type);
    if (known) return known as CompiledValidation<Body>;
    const compiled = new CompiledValidation(type);
    this.all.set(type, compiled); // before what it holds, which may hold it
    try {
      compiled.compile();
    } catch (error) {
      this.all.delete(type);
      throw error;
    }
    return compiled;
  }

  /** @returns the body as an instance of the class; null when class-validator has to look at it */
  read(body: unknown): Body | null {
    if (!isObject(body)) return null;
    const instance = new this.type() as Body & Fields;
    for (const name of Object.keys(body)) {
      const property = this.properties.get(name);
      if (!property) return null;
      const value = property.nested ? readNested(property.nested, body[name]) : body[name];
      if (value === UNREADABLE) return null;
      (instance as Fields)[name] = value;
    }
    for (const property of this.properties.values()) if (!holds(property, instance)) return null;
    return instance;
  }

  private compile(): void {
    refuseExposures(this.type);
    const metadata = getMetadataStorage().getTargetValidationMetadatas(this.type, '', false, false);
    for (const name of new Set(metadata.map(({ propertyName }) => propertyName))) {
      const own = metadata.filter(({ propertyName }) => propertyName === name);
      for (const rule of own) refuseUnknown(rule, this.type);
      const ofType = (kind: string) => own.filter(({ type }) => type === kind);
      const conditions = ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(
        ({ constraints }) => constraints[0] as Check,
      );
      const checks = ofType(ValidationTypes.CUSTOM_VALIDATION).flatMap(checksOf);
      const isNested = ofType(ValidationTypes.NESTED_VALIDATION).length > 0;
      this.properties.set(name, { name, conditions, checks, nested: nestedOf(this.type, name, isNested) });
    }
  }
}

const UNREADABLE = Symbol('unreadable');

function readNested(validation: CompiledValidation<object>, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (!Array.isArray(value)) return validation.read(value) ?? UNREADABLE;
  const items = value.map((item) => validation.read(item));
  return items.includes(null) ? UNREADABLE : items;
}

function holds({ name, conditions, checks }: Property, object: Fields): boolean {
  const value = object[name];
  if (!conditions.every((applies) => applies(object, value))) return true;
  return checks.every((check) => check(object, value));
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

const KNOWN_RULES = new Set([
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.WHITELIST,
]);

/** @throws Error for what the compiled form would pass over or take for something else */
function refuseUnknown(rule: Metadata, owner: Function): void {
  const { type, name, propertyName, constraintCls } = rule;
  const groups = rule.groups as string[] | undefined; // other than its type says
  const what = `${owner.name}.${propertyName}: the rule ${name ?? type}`;
  if (!KNOWN_RULES.has(type)) throw new Error(`${what} cannot be compiled.`);
  if (groups && groups.length > 0) throw new Error(`${what} is of a group, which cannot be compiled.`);
  if (type !== ValidationTypes.CUSTOM_VALIDATION) return;
  const constraints = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (constraints.length === 0) throw new Error(`${what} has no validator.`);
  if (constraints.some((constraint) => constraint.async))
    throw new Error(`${what} is asynchronous, which cannot be compiled.`);
}

/** @throws Error for a class that class-transformer reads otherwise than field by field */
function refuseExposures(type: Function): void {
  const isChanged =
    transformations.getExposedMetadatas(type).length > 0 ||
    transformations.getExcludedMetadatas(type).length > 0;
  if (isChanged) throw new Error(`${type.name}: @Expose and @Exclude cannot be compiled.`);
}

/** @throws Error for a field that class-transformer changes otherwise than to objects of one class */
function nestedOf(owner: Function, name: string, isNested: boolean): CompiledValidation<object> | undefined {
  const what = `${owner.name}.${name}`;
  if (transformations.findTransformMetadatas(owner, name, TransformationType.PLAIN_TO_CLASS).length > 0)
    throw new Error(`${what}: @Transform cannot be compiled.`);
  const type = transformations.findTypeMetadata(owner, name);
  if (!type && !isNested) return undefined;
  if (!type || !isNested) throw new Error(`${what}: @ValidateNested and @Type belong together.`);
  const dependsOnValue = type.typeFunction.length > 0 || type.options?.discriminator !== undefined;
  if (dependsOnValue) throw new Error(`${what}: a @Type that depends on the value cannot be compiled.`);
  return CompiledValidation.of(type.typeFunction() as ClassOf<object>);
}

function checksOf({ propertyName, target, constraintCls, constraints, each, validateIf }: Metadata): Check[] {
  const targetName = typeof target === 'string' ? target : target.name;
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => {
      // A promise is no answer yet.
      const isValid = (value: unknown, args: ValidationArguments) => instance.validate(value, args) === true;
      return (object: object, value: unknown) => {
        if (validateIf && !validateIf(object, value)) return true;
        const args = { targetName, property: propertyName, object, value, constraints };
        return each && Array.isArray(value)
          ? value.every((item) => isValid(item, args))
          : isValid(value, args);
      };
    });
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
