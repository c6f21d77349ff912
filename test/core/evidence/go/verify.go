// Reads a log's checkpoints, entries, proofs and tiles with the code of Go's checksum database, which knows nothing
// of this project, and says of each whether it holds. Input: one JSON object on standard input. Output: one JSON
// object; exit 1 at the first thing that does not hold, with the reason on standard error. Also signs a text with
// a key of ours, so that the other direction is shown too.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Index int64
	Proof [][]byte
}

type consistency struct {
	Older int64
	Root  []byte
	Proof [][]byte
}

type input struct {
	Key         string
	Signer      string
	Checkpoint  string
	Entries     [][]byte
	Inclusion   []inclusion
	Consistency []consistency
	Tiles       map[string][]byte
}

func check(err error, what string) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

func hashes(list [][]byte) []tlog.Hash {
	out := make([]tlog.Hash, len(list))
	for i, one := range list {
		if len(one) != tlog.HashSize {
			check(fmt.Errorf("%d bytes", len(one)), "hash")
		}
		copy(out[i][:], one)
	}
	return out
}

// readCheckpoint verifies the note and takes its three lines apart.
func readCheckpoint(text string, key string) tlog.Tree {
	verifier, err := note.NewVerifier(key)
	check(err, "key")
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	check(err, "checkpoint")
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		check(fmt.Errorf("%q", lines), "lines")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err, "size")
	root, err := base64.StdEncoding.DecodeString(lines[2])
	check(err, "root")
	return tlog.Tree{N: size, Hash: hashes([][]byte{root})[0]}
}

// tiles reads hashes from the tiles of the file, which Go's own reader checks against the root.
type tiles map[string][]byte

func (t tiles) Height() int                     { return 8 }
func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (t tiles) ReadTiles(list []tlog.Tile) ([][]byte, error) {
	out := make([][]byte, len(list))
	for i, tile := range list {
		// Go names the height in the path, C2SP does not.
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		data, ok := t[path]
		if !ok {
			return nil, fmt.Errorf("%s is missing", path)
		}
		out[i] = data
	}
	return out, nil
}

// rootOf hashes every entry anew.
func rootOf(entries [][]byte) tlog.Hash {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			out[i] = stored[index]
		}
		return out, nil
	})
	for n, entry := range entries {
		added, err := tlog.StoredHashes(int64(n), entry, reader)
		check(err, "entry")
		stored = append(stored, added...)
	}
	root, err := tlog.TreeHash(int64(len(entries)), reader)
	check(err, "root of entries")
	return root
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in), "input")
	tree := readCheckpoint(in.Checkpoint, in.Key)
	if root := rootOf(in.Entries); root != tree.Hash {
		check(fmt.Errorf("%v and %v", root, tree.Hash), "root of entries is not the checkpoint's")
	}
	for _, one := range in.Inclusion {
		leaf := tlog.RecordHash(in.Entries[one.Index])
		check(tlog.CheckRecord(hashes(one.Proof), tree.N, tree.Hash, one.Index, leaf), fmt.Sprintf("inclusion of %d", one.Index))
	}
	for _, one := range in.Consistency {
		older := hashes([][]byte{one.Root})[0]
		check(tlog.CheckTree(hashes(one.Proof), tree.N, tree.Hash, one.Older, older), fmt.Sprintf("consistency with %d", one.Older))
	}
	reader := tlog.TileHashReader(tree, tiles(in.Tiles))
	for n, entry := range in.Entries {
		if n%97 != 0 {
			continue
		}
		found, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, int64(n))})
		check(err, "tiles")
		if found[0] != tlog.RecordHash(entry) {
			check(fmt.Errorf("entry %d", n), "tiles hold another leaf")
		}
	}
	signer, err := note.NewSigner(in.Signer)
	check(err, "signer")
	signed, err := note.Sign(&note.Note{Text: "from\nGo\n"}, signer)
	check(err, "signing")
	out, err := json.Marshal(map[string]interface{}{
		"size": tree.N, "inclusion": len(in.Inclusion), "consistency": len(in.Consistency), "signed": string(signed),
	})
	check(err, "output")
	fmt.Println(string(out))
}
