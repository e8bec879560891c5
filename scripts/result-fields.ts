import { z } from 'zod';

/** What these pages need of a JSON Schema. */
interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly $ref?: string;
}

export interface ResultField {
  /** Where it is: `hits[].place.first`; with `?` where it may be absent. */
  readonly field: string;
  readonly type: string;
  readonly meaning: string;
}

/**
 * Every field of a result, in the order in which it is declared. Variants of an object are told apart by their constant;
 * an object that occurs again is described once.
 */
export function resultFields(schema: z.ZodType): ResultField[] {
  const fields: ResultField[] = [];
  /** The field in which each shape was described. */
  const described = new Map<string, string>();

  const describe = (path: string, shape: Shape, variant: string): void => {
    if (shape.items) describe(`${path}[]`, shape.items, variant);
    if (typeof shape.additionalProperties === 'object') {
      describe(`${path}.*`, shape.additionalProperties, variant);
    }
    for (const part of shape.allOf ?? []) describe(path, part, variant);
    for (const each of variantsOf(shape)) describe(path, each, nameOf(each) ?? variant);
    for (const [name, property] of Object.entries(shape.properties ?? {})) {
      // The constant that names a variant is listed with the object that has the variants.
      if (variant !== '' && property.const === variant) continue;
      const field = path === '' ? name : `${path}.${name}`;
      const same = JSON.stringify({ ...property, description: undefined });
      const first = described.get(same);
      const isNested = fieldCount(property) > 0;
      if (isNested && !first) described.set(same, field);
      fields.push({
        field: shape.required?.includes(name) ? field : `${field}?`,
        type: first ? `as \`${first}\`` : typeOf(property),
        meaning: [variant && `of \`${variant}\``, property.description].filter(Boolean).join(': '),
      });
      if (isNested && !first) describe(field, property, '');
    }
  };
  describe('', z.toJSONSchema(schema) as Shape, '');
  return fields;
}

function fieldCount(shape: Shape): number {
  const parts = [shape.items, shape.additionalProperties, ...(shape.allOf ?? []), ...variantsOf(shape)];
  const below = parts.map((part) => (typeof part === 'object' ? fieldCount(part) : 0));
  return below.reduce((sum, count) => sum + count, Object.keys(shape.properties ?? {}).length);
}

function variantsOf(shape: Shape): readonly Shape[] {
  return shape.oneOf ?? shape.anyOf ?? [];
}

/** The constant that tells a variant from the others: `lines` of `{ kind: 'lines', … }`. */
function nameOf(shape: Shape): string | undefined {
  const constants = Object.values(shape.properties ?? {}).flatMap((property) =>
    typeof property.const === 'string' ? [property.const] : [],
  );
  return constants[0];
}

function typeOf(shape: Shape): string {
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.enum) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const variants = variantsOf(shape);
  if (variants.length > 0) {
    const names = variants.flatMap((each) => nameOf(each) ?? []);
    if (names.length === variants.length) return `one of ${names.map((name) => `\`${name}\``).join(', ')}`;
    return [...new Set(variants.map(typeOf))].join(' or ');
  }
  if (shape.prefixItems) return `[${shape.prefixItems.map(typeOf).join(', ')}]`;
  if (shape.items) return `list of ${typeOf(shape.items)}`;
  if (shape.type === 'object') {
    return typeof shape.additionalProperties === 'object' ? 'object by name' : 'object';
  }
  const names: Record<string, string> = {
    string: 'text',
    integer: 'whole number',
    boolean: 'true or false',
  };
  return names[shape.type ?? ''] ?? shape.type ?? 'any value';
}
