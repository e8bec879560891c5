import { describe, expect, test } from 'vitest';
import { createCodeChunker } from './code.ts';
import { languageOf } from './languages.ts';
import { languages } from './rules-of.ts';
import { lineLimits, misplaced, sampleOf } from './samples.fixture.ts';

// Kind, section and `+` or `-` for exported or not; `.` is code that defines nothing.
const expected: Readonly<Record<string, string>> = {
  'typescript.ts': `. | interface Settings + | type Either + | enum Level + | class Cache +
    | property Cache > entries | method Cache > constructor | method Cache > get | method Cache > clear
    | function load + | function hidden - | namespace Inner + | function default +`,
  'tsx.tsx': '. | interface ButtonProps - | function Button + | function Panel + | object theme -',
  'javascript.js': `. | constant path - | function create + | function Application > join | function app > use
    | function twice - | function numbers - | class Queue - | object exports +`,
  'python.py': `. | constant LIMIT + | constant _cache - | class Circle + | property Circle > radius +
    | method Circle > area + | method Circle > _load - | class Circle > Meta + | function größe +
    | function _private - | .`,
  'go.go': `. | variable ErrMissing + | constant first - | struct Store + | interface Reader + | function New +
    | method Store > Get + | function hidden -`,
  'rust.rs': `. | struct Point + | trait Area + | impl Point - | method Point > fmt - | method Point > swap +
    | method Point > zero - | enum Shape + | constant LIMIT + | macro square - | module inner -`,
  'java.java': `. | class Ledger + | property Ledger > entries - | constructor Ledger > Ledger +
    | method Ledger > add + | method Ledger > size - | enum Ledger > State - | interface Book -
    | record Entry - | annotation Service -`,
  'c.c': `. | macro CAPACITY + | macro MAX + | struct ring + | type ring_t + | enum mode + | variable count -
    | function ring_size + | function ring_push - | function ring_dump + | function main +`,
  'cpp.hpp': `. | namespace sample::core + | class sample::core > Named + | method sample::core > Named > Named +
    | method sample::core > Named > ~Named + | method sample::core > Named > name +
    | method sample::core > Named > operator= + | property sample::core > Named > name_ +
    | enum sample::core > Color + | type sample::core > Text + | function sample > core > Printer > print +
    | function twice +`,
  'csharp.cs': `. | record Point + | class Service + | property Service > _items - | property Service > Name +
    | method Service > RunAsync + | method Service > Stop - | method Service > Dispose + | struct Pair -
    | enum Level + | interface IReader + | type Changed +`,
  'ruby.rb': `. | module Sample | class Sample > Users 1/3 | property Sample > Users > LIMIT
    | class Sample > Users 2/3 | method Sample > Users > find | method Sample > Users > create
    | class Sample > Users 3/3 | method Sample > Users > valid? | module Sample > Helper | constant Point
    | method main`,
  'php.php': `. | namespace App\\Model + | . | class User + | property User > LIMIT + | property User > $name -
    | method User > __construct + | method User > find + | method User > secret - | interface Named +
    | trait Greets + | enum Suit + | function increment + | function $twice +`,
  'kotlin.kt': `. | class User + | property User > label + | method User > greet + | method User > load -
    | object User > Companion + | interface Named + | enum Level + | object Registry + | type Users +
    | function twice + | constant limit -`,
  'swift.swift': `. | class Person + | property Person > name - | method Person > init + | method Person > greet +
    | method Person > subscript - | method Person > deinit - | protocol Named + | extension Person -
    | struct Point - | enum Level - | actor Counter - | type Names - | function twice -`,
  'scala.scala': `. | class User + | property User > label + | method User > greet + | method User > secret -
    | method User > inner - | object User + | trait Named + | class Shape + | object Main +`,
  'bash.sh': '. | function log | function build | function deploy | .',
  'lua.lua': `. | object List - | . | function List > new + | function List > push + | function hidden -
    | function List > size + | function twice - | .`,
  'elixir.ex': `module Sample.Users + | function Sample.Users > find + | function Sample.Users > all -
    | macro Sample.Users > unless_empty + | module Sample.Users > User + | protocol Sample.Size +
    | impl Sample.Size +`,
  'dart.dart': `. | constant limit + | class User + | property User > label + | constructor User > User +
    | constructor User > User + | method User > greet + | method User > _load - | class Greets + | enum Level +
    | extension Words + | type Users + | function twice + | function _hidden -`,
  'haskell.hs': `. | type Shape | type Wrapped | type Shapes | class Named | impl Named | function area | function area
    | function total | constant limit`,
  'zig.zig': `constant std - | constant limit - | struct Point + | property Point > x - | property Point > y -
    | method Point > zero + | method Point > hidden - | enum Level + | type Failure - | function twice +
    | variable count - | .`,
  'r.r': '. | function twice + | function fit_model + | .',
  'perl.pl': `. | module Counter + | . | function new + | function add + | module Counter::Loud +
    | function shout + | .`,
  'nix.nix': 'constant version | function greet | constant sample | constant shell',
  'hcl.tf': `block terraform | block region | block locals | block aws_instance > web | block network
    | block address`,
  'objc.m': `. | protocol Named + | interface Person + | class Person + | method Person > initWithName +
    | method Person > nobody + | type LevelLow + | function twice -`,
  'julia.jl': `module Shapes | constant Shapes > LIMIT | type Shapes > Shape | struct Shapes > Circle
    | struct Shapes > Counter | function Shapes > area | function Shapes > twice | macro Shapes > shout`,
  'make.mk': `variable CC | variable FLAGS | target .PHONY | target all | target program | target %.o
    | macro banner | target clean | target clean`,
};

/** Words of a doc comment or attribute, and the name of the definition whose chunk begins with them. */
const attached: Readonly<Record<string, readonly [string, string]>> = {
  'typescript.ts': ['/** Looks a key up. */', 'get'],
  'tsx.tsx': ['/** A button that counts. */', 'Button'],
  'javascript.js': ['/** Joins two names. */', 'join'],
  'python.py': ['# The area matters.\n@dataclass(frozen=True)', 'Circle'],
  'go.go': ['// Get returns the value of a key.', 'Get'],
  'rust.rs': ['/// A point in the plane.\n#[derive(Debug, Clone)]', 'Point'],
  'java.java': ['/** Adds an entry. */\n  @Override', 'add'],
  'c.c': ['/* Adds an item. */', 'ring_push'],
  'cpp.hpp': ['/// The name.', 'name'],
  'csharp.cs': ['/// <summary>A pair of numbers.</summary>\n[Serializable]', 'Point'],
  'ruby.rb': ['# Finds one.', 'find'],
  'php.php': ['/**\n * A user.\n */\n#[Entity]', 'User'],
  'kotlin.kt': ['/** A user. */\n@Serializable', 'User'],
  'swift.swift': ['/// A person.\n@MainActor', 'Person'],
  'scala.scala': ['/** A user. */\n@deprecated', 'User'],
  'bash.sh': ['# Says what happens.', 'log'],
  'lua.lua': ['--- Adds an item.', 'push'],
  'elixir.ex': ['@doc """', 'find'],
  'dart.dart': ['/// A user.\n@immutable', 'User'],
  'haskell.hs': ['-- | The area of a shape.\narea ::', 'area'],
  'zig.zig': ['/// The point at zero.', 'zero'],
  'r.r': ["#' Twice as much.", 'twice'],
  'perl.pl': ['# Adds one.', 'add'],
  'nix.nix': ['{\n  # The program.', 'sample'],
  'hcl.tf': ['# The machine that serves.', 'web'],
  'objc.m': ['/// Makes a person.', 'initWithName'],
  'julia.jl': ['"""\nWhat has an area.', 'Shape'],
  'make.mk': ['# Everything.', 'all'],
};

describe.each(Object.keys(expected))('%s', (name) => {
  const chunker = createCodeChunker();
  const sample = sampleOf(name);

  test('gives each definition its name, kind, scope and visibility', async () => {
    const { drafts, degraded } = await chunker.chunk(sample, lineLimits(1, 8, 10));
    const found = drafts.map(({ symbol, section, metadata }) => {
      if (symbol === undefined) return '.';
      const visible = symbol.exported === undefined ? [] : [symbol.exported ? '+' : '-'];
      return [symbol.kind, section, ...visible, ...(metadata?.part ? [metadata.part] : [])].join(' ');
    });
    expect(degraded).toBeUndefined();
    expect(found).toEqual((expected[name] ?? '').split('|').map((line) => line.trim()));
  });

  test('keeps doc comments and attributes with what they describe', async () => {
    const { drafts } = await chunker.chunk(sample, lineLimits(1, 8, 10));
    const [words, owner] = attached[name] ?? ['', ''];
    const draft = drafts.find(({ start }) => sample.text.startsWith(words, start));
    expect(words).not.toBe('');
    expect(draft?.symbol?.name).toBe(owner);
    expect(draft?.symbol?.signature).not.toMatch(/^[@#/*]/);
  });

  test('loses no character, whatever the sizes', async () => {
    for (const limits of [lineLimits(1, 2, 3), lineLimits(4, 8, 12), lineLimits(50, 300, 800)]) {
      const { drafts } = await chunker.chunk(sample, limits);
      expect(misplaced(sample.text, drafts)).toEqual([]);
    }
  });
});

test('has a sample for every language', () => {
  const sampled = new Set(Object.keys(expected).map((name) => languageOf(name)));
  expect(languages.filter((language) => !sampled.has(language))).toEqual([]);
});

test.each([
  ['src/Main.TS', 'typescript'],
  ['C:\\project\\a.py', 'python'],
  ['virtual:note.go', 'go'],
  ['lib/Rakefile', 'ruby'],
  ['home/.bashrc', 'bash'],
  ['include/a.h', 'cpp'],
  ['src/Makefile', 'make'],
  ['infra/main.tf', 'hcl'],
  ['.ts', undefined],
  ['README', undefined],
  ['a.constructor', undefined],
  ['', undefined],
])('knows the language of %s by its name', (uri, language) => {
  expect(languageOf(uri)).toBe(language);
});
