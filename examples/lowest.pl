#!/usr/bin/env perl
# A player in another language: it passes, and plays the lowest card it may. From the folder of the project:
#
#     solo-whist evaluate "process:perl examples/lowest.pl" --against random --deals 50
#
# Each line of input is answered at once with a line of output; solo_env/process.py says what stands in them. Perl's
# own modules for JSON are not everywhere, so the few names that are needed are cut out of the line.
use strict;
use warnings;

$| = 1;    # every line is sent off as it is printed
my $ranks = "23456789TJQKA";

sub rank { return index($ranks, substr($_[0], 1)) }

while (my $line = <STDIN>) {
    if ($line =~ /^\{"hello":1,/) {    # the first line: the rules, and the names of all actions
        print qq({"hello":1}\n);
        next;
    }
    my ($list) = $line =~ /"legal":\[([^\]]*)\]/ or die "no legal actions in: $line";
    my @legal = $list =~ /"([^"]+)"/g;
    my $card = $legal[0] =~ /^[CDHS][2-9TJQKA]$/;

    # Calls and suits come lowest first, and cards by suit: of equal ranks the first is taken.
    my $best = $legal[0];
    for my $action (@legal) {
        $best = $action if $card && rank($action) < rank($best);
    }
    my $why = $card ? "the lowest card that may be played" : "it never calls";
    print qq({"action":"$best","why":"$why"}\n);
}
