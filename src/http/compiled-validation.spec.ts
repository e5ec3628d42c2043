import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Exclude, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsOptional,
  IsString,
  Validate,
  ValidateNested,
  ValidatePromise,
  ValidatorConstraint,
} from 'class-validator';
import { CompiledValidation } from './compiled-validation.js';
import { NestedObject, NestedObjects } from './validators.js';

class Inner {
  @IsString()
  name: string;

  @IsOptional()
  @NestedObjects(() => Inner, 2)
  children?: Inner[];
}

class Outer {
  @NestedObject(() => Inner)
  inner: Inner;

  @Allow()
  anything?: unknown;
}

@ValidatorConstraint({ async: true })
class Slow {
  validate = async () => false;
}

class WithPromise {
  @ValidatePromise()
  @IsString()
  name: Promise<string>;
}
class WithGroup {
  @IsString({ groups: ['later'] })
  name: string;
}
class WithSlowRule {
  @Validate(Slow)
  name: string;
}
class WithTransform {
  @Transform(({ value }) => String(value))
  @IsString()
  name: string;
}
class WithHiddenField {
  @Exclude()
  @IsString()
  name: string;
}
class WithUntypedNesting {
  @ValidateNested()
  inner: Inner;
}
class WithUncheckedNesting {
  @Type(() => Inner)
  @Allow()
  inner: Inner;
}
class WithChoiceOfClasses {
  @ValidateNested()
  @Type((options) => (options?.object['kind'] === 'a' ? Inner : Outer))
  inner: Inner;
}
class WithFaultWithin {
  @NestedObject(() => WithGroup)
  inner: WithGroup;
}

describe('The compiled form of a class', () => {
  it('reads what class-validator would accept, classes within each other too', () => {
    const rules = CompiledValidation.of(Outer);
    const body = { inner: { name: 'a', children: [{ name: 'b' }] }, anything: 1 };
    expect(rules.read(body)).toEqual(body);
    expect(rules.read(body)?.inner.children?.[0]).toBeInstanceOf(Inner);
    expect(rules.read({ inner: { name: 'a', children: [{ name: 1 }] } })).toBeNull();
  });

  it.each([
    [WithPromise, 'WithPromise.name'],
    [WithGroup, 'WithGroup.name'],
    [WithSlowRule, 'WithSlowRule.name'],
    [WithTransform, 'WithTransform.name'],
    [WithHiddenField, 'WithHiddenField'],
    [WithUntypedNesting, 'WithUntypedNesting.inner'],
    [WithUncheckedNesting, 'WithUncheckedNesting.inner'],
    [WithChoiceOfClasses, 'WithChoiceOfClasses.inner'],
    [WithFaultWithin, 'WithGroup.name'],
  ])('is refused for a rule that it does not know: %p', (type, place) => {
    expect(() => CompiledValidation.of(type as new () => object)).toThrow(place);
    expect(() => CompiledValidation.of(type as new () => object)).toThrow(place); // nor half of it kept
  });
});
