import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

type ClassOf<Body extends object> = new () => Body;
type Fields = Record<string, unknown>;
type Check = (object: object, value: unknown) => boolean;

interface Property {
  name: string;
  /** Whether the checks apply. */
  conditions: Check[];
  checks: Check[];
  /** Of the objects that it holds. */
  nested: (() => ClassOf<object>) | undefined;
}

const NESTED = Symbol('the class of nested objects');

/** Notes which class a property's objects are of, for {@link CompiledValidation}. */
export const HoldsObjectsOf =
  (type: () => ClassOf<object>): PropertyDecorator =>
  (target, name) =>
    Reflect.defineMetadata(NESTED, type, target, name);

const marked = new WeakSet<Function>();

/** Bodies and queries of this class are read by {@link CompiledValidation} first. Not for classes with `@Type` or `@Transform` of their own. */
export const Compiled = (): ClassDecorator => (type) => void marked.add(type);

/**
 * The rules of a DTO class, as class-validator has them by its decorators, with all that does not depend on the body
 * looked up beforehand. It only ever says yes: what it does not accept is left to class-validator, which also says why.
 */
export class CompiledValidation<Body extends object> {
  private static readonly all = new Map<Function, CompiledValidation<object>>();
  private readonly properties = new Map<string, Property>();

  private constructor(private readonly type: ClassOf<Body>) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    for (const { propertyName: name } of metadata) {
      if (this.properties.has(name)) continue;
      const own = metadata.filter(({ propertyName }) => propertyName === name);
      const ofType = (kind: string) => own.filter((each) => each.type === kind);
      const conditions = ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(
        (each) => each.constraints[0] as Check,
      );
      const checks = ofType(ValidationTypes.CUSTOM_VALIDATION).flatMap(checksOf);
      const nested = Reflect.getMetadata(NESTED, type.prototype, name) as Property['nested'];
      this.properties.set(name, { name, conditions, checks, nested });
    }
  }

  /** The rules of a class that is marked as {@link Compiled}. */
  static find(type: Function): CompiledValidation<object> | null {
    return marked.has(type) ? this.of(type as ClassOf<object>) : null;
  }

  static of<Body extends object>(type: ClassOf<Body>): CompiledValidation<Body> {
    let compiled = this.all.get(type);
    if (!compiled) this.all.set(type, (compiled = new CompiledValidation(type)));
    return compiled as CompiledValidation<Body>;
  }

  /** @returns the body as an instance of the class; null when class-validator has to look at it */
  read(body: unknown): Body | null {
    if (!isObject(body)) return null;
    const instance = new this.type() as Body & Fields;
    for (const name of Object.keys(body)) {
      const property = this.properties.get(name);
      if (!property) return null;
      const value = property.nested ? readNested(property.nested(), body[name]) : body[name];
      if (value === UNREADABLE) return null;
      (instance as Fields)[name] = value;
    }
    for (const property of this.properties.values()) if (!holds(property, instance)) return null;
    return instance;
  }
}

const UNREADABLE = Symbol('unreadable');

function readNested(type: ClassOf<object>, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const validation = CompiledValidation.of(type);
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
