/** A file of each language, with what it defines, mentions and imports. */
export const samples: readonly (readonly [
  name: string,
  text: string,
  definitions: string,
  mentions: string,
  imports: string,
])[] = [
  [
    'a.ts',
    `import fs, { readFile as read } from 'node:fs';
import type { Store } from './store.ts';
import * as path from 'node:path';
export { twice } from './twice.ts';

export class Cache extends Base {
  constructor(private readonly store: Store) { super(); }
  async get(key: string): Promise<Entry> {
    const found = await this.store.find(path.join(key));
    return this.wrap(found) ?? make(found);
  }
  private wrap = (value: string) => value.trim();
}

export function load({ store: own }: Parts, limit = 10): Cache {
  const cache = new Cache(own);
  const inner = () => cache.get('x');
  limit.toFixed();
  read(limit);
  return inner();
}
`,
    'class Cache < Base | method Cache.constructor | property Cache.store: Store | method Cache.get: Entry | property Cache.wrap | function load: Cache | function load.inner',
    '7 type Store | 8 type Entry | 9 use Cache > store | 9 call Cache.store > find | 9 use path | 9 call path > join | 10 call Cache > wrap | 10 call make | 12 call ? > trim | 15 type Parts | 15 type Cache | 16 call Cache | 17 call Cache > get | 18 call ? > toFixed | 19 call read | 20 call inner | 1 import readFile | 1 import fs | 2 import Store | 3 import path | 4 import twice',
    'node:fs readFile read | node:fs default fs | ./store.ts Store Store | node:path * path | ./twice.ts twice twice',
  ],
  [
    'a.tsx',
    `import { Card } from './card.tsx';
export const Page = ({ title }: { title: string }) => <Card onClick={() => open(title)}><div>{format(title)}</div></Card>;
`,
    'function Page | property Page.title',
    '2 call Card | 2 call open | 2 call format | 1 import Card',
    './card.tsx Card Card',
  ],
  [
    'a.js',
    `const { join } = require('./join.js');
const path = require('path');
exports.start = function start(server) {
  server.listen(join(path.sep));
  helper();
};
function helper() {}
module.exports = helper;
`,
    'constant path: require() | function start | function helper',
    '3 use start | 4 call ? > listen | 4 use path | 4 use path > sep | 5 call helper | 8 use module > exports | 8 use helper | 1 import join | 2 import path',
    './join.js join join | path * path |  helper default',
  ],
  [
    'a.py',
    `from .store import Store, open_store as opened
import os.path

class Cache(Store):
    def __init__(self, store: Store):
        self.store = store

    def get(self, key):
        found = self.store.find(key)
        return super().get(found) or make(os.path.join(found))

def make(value):
    cache = Cache(opened())
    return cache.get(value)
`,
    'class Cache < Store | method Cache.__init__ | property Cache.store: Store | method Cache.get | function make',
    '4 type Store | 5 type Store | 9 use Cache > store | 9 call Cache.store > find | 10 call super Cache > get | 10 call make | 10 use os | 10 use os > path | 10 call os.path > join | 13 call Cache | 13 call opened | 14 call Cache() > get | 1 import Store | 1 import open_store | 2 import os.path',
    '.store Store Store | .store open_store opened | os.path * os.path',
  ],
  [
    'a.go',
    `package main

import (
	"fmt"
	"example.com/app/store"
)

type Server struct {
	store *store.Store
}

func (s *Server) Serve(addr string) error {
	fmt.Println(addr)
	return s.store.Find(helper(addr))
}

func helper(a string) string { return a }
`,
    'struct Server | property Server.store: store.Store | method Server.Serve: error | function helper',
    '9 type store > Store | 12 type Server | 13 use fmt | 13 call fmt > Println | 14 use Server > store | 14 call Server.store > Find | 14 call helper | 4 import fmt | 5 import store',
    'fmt * fmt | example.com/app/store * store',
  ],
  [
    'a.rs',
    `use crate::store::{Store, open as opened};

pub struct Server { store: Store }

impl Server {
    pub fn serve(&self, key: &str) -> Entry {
        let found = self.store.find(key);
        helper(found)
    }
}

fn helper(entry: Entry) -> Entry { println!("{}", opened(entry)); Entry::new(entry) }
`,
    'struct Server | property Server.store: Store | impl Server | method Server.serve: Entry | function helper: Entry',
    '3 type Store | 6 type Entry | 7 use Server > store | 7 call Server.store > find | 8 call helper | 12 type Entry | 12 type Entry | 12 call println | 12 call opened | 12 call Entry > new | 1 import Store | 1 import open',
    'crate::store Store Store | crate::store open opened',
  ],
  [
    'A.java',
    `package app;
import app.store.Store;

public class Server extends Base {
  private final Store store;
  public Entry serve(String key) {
    Entry found = store.find(key);
    return helper(found).copy(new Server());
  }
  static Entry helper(Entry entry) { return entry; }
}
`,
    'class Server < Base | property Server.store: Store | method Server.serve: Entry | method Server.helper: Entry',
    '4 type Base | 5 type Store | 6 type Entry | 7 type Entry | 7 use store | 7 call store > find | 8 call helper | 8 call helper() > copy | 8 call Server | 10 type Entry | 10 type Entry | 2 import Store',
    'app.store Store Store',
  ],
  [
    'a.c',
    `#include "ring.h"

static int twice(int value) { return value * 2; }

int push(struct ring *ring, int item) {
  ring->write(item);
  return ring_size(ring) + twice(item);
}
`,
    'function twice | function push',
    '6 call ring > write | 7 call ring_size | 7 call twice',
    'ring.h * *',
  ],
  [
    'a.cpp',
    `#include "store.hpp"

class Server : public Base {
 public:
  int serve(Store& store) { return store.find(1) + helper(); }
  int helper();
};

int Server::helper() { return app::open()->size(); }
`,
    'class Server < Base | method Server.serve | declaration Server.helper | function Server.helper',
    '3 type Base | 5 type Store | 5 call Store > find | 5 call helper | 9 call app > open | 9 call app.open() > size',
    'store.hpp * *',
  ],
  [
    'A.cs',
    `using App.Stores;

public class Server : Base {
  private readonly Store store;
  public Entry Serve(string key) {
    var found = store.Find(key);
    return Helper(found);
  }
  static Entry Helper(Entry entry) => new Entry(entry);
}
`,
    'class Server < Base | property Server.store: Store | method Server.Serve: Entry | method Server.Helper: Entry',
    '3 type Base | 4 type Store | 5 use Entry | 6 use store | 6 call store > Find | 7 call Helper | 9 use Entry | 9 type Entry | 9 call Entry',
    'App.Stores * *',
  ],
  [
    'a.rb',
    `class Server < Base
  def serve(key)
    found = Store.open(key)
    helper(found)
  end

  def helper(entry)
    entry.copy
  end
end
`,
    'class Server < Base | method Server.serve | method Server.helper',
    '1 type Base | 3 use Store | 3 call Store > open | 4 call helper | 8 call ? > copy',
    '',
  ],
  [
    'a.php',
    `<?php
use App\\Store;

class Server extends Base {
  public function serve(Store $store, string $key): Entry {
    $found = $store->find($key);
    return $this->helper($found) ?? Entry::make(trim($key));
  }
  private function helper(Entry $entry): Entry { return new Entry($entry); }
}
`,
    'class Server < Base | method Server.serve | method Server.helper',
    '4 type Base | 5 type Store | 5 type Entry | 6 call Store > find | 7 call Server > helper | 7 use Entry | 7 call Entry > make | 7 call trim | 9 type Entry | 9 type Entry | 9 call Entry | 2 import Store',
    'App Store Store',
  ],
  [
    'a.kt',
    `import app.store.Store

class Server(val store: Store) : Base() {
    fun serve(key: String): Entry {
        val found = store.find(key)
        return helper(found)
    }
}

fun helper(entry: Entry): Entry = Entry(entry)
`,
    'class Server < Base | property Server.store: Store | method Server.serve: Entry | function helper: Entry',
    '3 type Store | 3 type Base | 4 type Entry | 5 use store | 5 call store > find | 6 call helper | 10 type Entry | 10 type Entry | 10 call Entry | 1 import Store',
    'app.store Store Store',
  ],
  [
    'a.swift',
    `import Foundation

class Server: Base {
    let store: Store
    func serve(key: String) -> Entry {
        let found = store.find(key)
        return helper(found)
    }
}

func helper(_ entry: Entry) -> Entry { return Entry(entry) }
`,
    'class Server < Base | property Server.store: Store | method Server.serve: Entry | function helper: Entry',
    '3 type Base | 4 type Store | 5 type Entry | 6 use store | 6 call store > find | 7 call helper | 11 use _ | 11 type Entry | 11 type Entry | 11 call Entry',
    '',
  ],
  [
    'a.scala',
    `import app.store.Store

class Server(store: Store) extends Base {
  def serve(key: String): Entry = {
    val found = store.find(key)
    helper(found)
  }
  def helper(entry: Entry): Entry = new Entry(entry)
}
`,
    'class Server < Base | method Server.serve: Entry | method Server.helper: Entry',
    '3 type Store | 3 type Base | 4 type Entry | 5 call Store > find | 6 call helper | 8 type Entry | 8 type Entry | 8 call Entry | 1 import Store',
    'app.store Store Store',
  ],
  [
    'a.sh',
    `build() {
  compile "$1"
}
deploy() {
  build x
}
`,
    'function build | function deploy',
    '2 call compile | 5 call build',
    '',
  ],
  [
    'a.lua',
    `local store = require("app.store")

local Server = {}

function Server.new(key)
  return Server:open(store.find(key))
end

local function helper(entry)
  return Server.new(entry)
end
`,
    'constant store: require() | constant Server | function Server.new | function helper',
    '1 call require | 6 use Server | 6 call Server > open | 6 use store | 6 call store > find | 10 use Server | 10 call Server > new | 1 import store',
    'app.store * store',
  ],
  [
    'a.ex',
    `defmodule App.Server do
  alias App.Store

  def serve(key) do
    Store.find(key) |> helper()
  end

  defp helper(entry), do: entry
end
`,
    'module App.Server | function App.Server.serve | function App.Server.helper',
    '5 use Store | 5 call Store > find | 5 call helper | 2 import Store',
    'App Store Store',
  ],
];
