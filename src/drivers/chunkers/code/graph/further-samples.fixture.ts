/** A file of each language that is read less often, with what it defines, mentions and imports. */
export const furtherSamples: readonly (readonly [
  name: string,
  text: string,
  definitions: string,
  mentions: string,
  imports: string,
])[] = [
  [
    'a.dart',
    `import 'cache.dart';

class Store extends Base {
  final Cache cache;

  Entry find(String key) {
    final found = cache.load(key);
    return make(found);
  }
}

Entry make(Entry entry) => entry;
`,
    `class Store < Base | method Store.find | function make`,
    `3 type Base | 4 type Cache | 4 use cache | 6 type Entry | 7 use cache | 7 call cache > load | 7 use key | 8 use make | 12 type Entry | 12 type Entry | 12 use entry`,
    ``,
  ],
  [
    'a.hs',
    `import Data.List (sort)

data Entry = Entry String

make :: String -> Entry
make key = Entry (trim key)

trim :: String -> String
trim text = text
`,
    `type Entry | function make | function trim`,
    `3 use Entry | 5 use make | 5 type Entry | 6 use Entry | 6 call trim | 8 use trim`,
    ``,
  ],
  [
    'a.zig',
    `const std = @import("std");

pub const Store = struct {
    count: u32,

    pub fn add(self: *Store) void {
        const step = next(self.count);
        self.count = step;
    }
};

fn next(value: u32) u32 {
    return value + 1;
}
`,
    `constant std: @import() | struct Store | property Store.count | method Store.add | function next`,
    `6 use Store | 7 call next | 7 use Store > count | 8 use Store > count`,
    ``,
  ],
  [
    'a.r',
    `twice <- function(value) {
  half <- value / 2
  sum(half, value)
}

print(twice(limit))
`,
    `function twice`,
    `3 call sum | 6 call print | 6 call twice | 6 use limit`,
    ``,
  ],
  [
    'a.pl',
    `package Store;

sub add {
    my ($self) = @_;
    return $self->count;
}

1;
`,
    `module Store | function add`,
    `5 use count`,
    ``,
  ],
  [
    'a.nix',
    `{ pkgs }:
let
  greet = name: "Hello";
in
{
  shell = pkgs.mkShell { text = greet "you"; };
}
`,
    `function greet | constant shell | constant shell.text`,
    `3 use name | 6 use ? > mkShell | 6 call greet`,
    ``,
  ],
  [
    'a.tf',
    `resource "aws_instance" "web" {
  ami = var.image
}
`,
    `block web | property web.ami: var.image`,
    `1 use resource | 2 use var | 2 use var > image`,
    ``,
  ],
  [
    'a.m',
    `#import "store.h"

@implementation Store

- (int)add:(int)value {
  return twice(value) + [self count];
}

@end

int twice(int value) {
  return value * 2;
}
`,
    `class Store | method Store.add | function twice`,
    `5 use value | 6 call twice | 6 use value | 6 call count`,
    ``,
  ],
  [
    'a.jl',
    `module Shapes

struct Circle <: Shape
    radius::Float64
end

area(circle) = pi * square(circle.radius)

function square(value)
    return value^2
end

end
`,
    `module Shapes | struct Shapes.Circle < Shape | function Shapes.area | function Shapes.square`,
    `3 use Shape | 4 use radius | 4 use Float64 | 7 use circle | 7 use pi | 7 call square | 7 use circle | 7 use circle > radius | 9 use value | 10 use value`,
    ``,
  ],
  [
    'a.mk',
    `CC := gcc

all: program

program: main.c
	$(CC) -o $@ main.c
`,
    `variable CC: gcc | target all | target program`,
    `3 use program | 5 use main | 6 use CC`,
    ``,
  ],
];
